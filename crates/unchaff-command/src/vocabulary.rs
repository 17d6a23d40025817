//! One vocabulary: an option of a name means the same in all commands, and every command is in the manual.

use crate::arguments::Arguments;
use clap::{Arg, Command, CommandFactory};
use std::collections::{BTreeMap, BTreeSet};

/// What an option is, what it takes, and its short name.
type Meaning = (String, String, Option<char>);

/// All commands with their names, from the outermost on.
fn commands() -> Vec<(String, Command)> {
    let mut root = Arguments::command();
    root.build();
    let mut found = vec![("unchaff".to_owned(), root)];
    let mut at = 0;
    while at < found.len() {
        let (name, command) = &found[at];
        let below: Vec<(String, Command)> = command
            .get_subcommands()
            .filter(|below| below.get_name() != "help")
            .map(|below| (format!("{name} {}", below.get_name()), below.clone()))
            .collect();
        found.extend(below);
        at += 1;
    }
    found
}

fn options(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let own = command.get_arguments().filter_map(|option| option.get_long().map(|name| (name, option)));
    own.filter(|(name, _)| !matches!(*name, "help" | "version"))
}

/// What an option is, up to what a command adds to it.
fn meaning(option: &Arg) -> String {
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let clause = help.split(['.', ':', ';', ',', '(']).next().unwrap_or_default();
    clause.trim().to_owned()
}

/// The kind of value that an option takes.
fn value(option: &Arg) -> String {
    let takes = option.get_action().takes_values();
    let names: Vec<&str> = option.get_value_names().unwrap_or_default().iter().map(clap::builder::Str::as_str).collect();
    // What is written can be a file, a folder or an archive.
    if takes && option.get_long() != Some("output") { names.join(" ") } else { takes.to_string() }
}

#[test]
fn an_option_means_the_same_in_all_commands() {
    let mut meanings: BTreeMap<String, BTreeMap<Meaning, BTreeSet<String>>> = BTreeMap::new();
    for (name, command) in commands() {
        for (long, option) in options(&command) {
            let meaning = (meaning(option), value(option), option.get_short());
            meanings.entry(long.to_owned()).or_default().entry(meaning).or_default().insert(name.clone());
        }
    }
    let several: Vec<String> =
        meanings.iter().filter(|(_, all)| all.len() > 1).map(|(long, all)| format!("--{long}: {all:#?}")).collect();
    assert!(several.is_empty(), "{}", several.join("\n"));
}

#[test]
fn there_is_one_option_for_a_site_a_limit_a_size_and_a_time() {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, command) in commands() {
        for (long, option) in options(&command) {
            names.entry(meaning(option)).or_default().insert(long.to_owned());
            assert!(option.get_help().is_some(), "{name} --{long} says nothing of itself");
        }
    }
    for (meaning, long) in [
        ("The site of the pages", "site"),
        ("Take at most so many pages", "limit"),
        ("The most bytes a page may have", "max-bytes"),
        ("Seconds after which a page is given up that is fetched", "timeout"),
        ("How many pages to work on at a time", "jobs"),
        ("Where to write", "output"),
        ("What to write", "format"),
    ] {
        assert_eq!(names[meaning].iter().map(String::as_str).collect::<Vec<_>>(), [long], "{meaning}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    crate::man_pages(folder.path()).unwrap();
    for (name, command) in commands() {
        let path = folder.path().join(format!("{}.1", name.replace(' ', "-")));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let missing = options(&command).find(|(long, _)| !page.contains(&long.replace('-', "\\-")));
        assert_eq!(missing.map(|(long, _)| long), None, "{name}");
    }
}

#[test]
fn names_of_before_are_still_understood() {
    for arguments in [
        "unchaff crawl https://e.org -o a.warc.gz --max-pages 3",
        "unchaff segment mirror --site",
        "unchaff store list a.db --site e.org",
        "unchaff store prune a.db --site e.org",
        "unchaff store prune a.db --template t",
        "unchaff bench run --suite a -t auto --timeout 3",
        "unchaff bench report --db a.db --title T",
    ] {
        assert!(Arguments::command().try_get_matches_from(arguments.split(' ')).is_ok(), "{arguments}");
    }
}
