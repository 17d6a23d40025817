//! Names have the same domains as in the crate `psl`.

#[test]
fn all_rules_and_what_is_around_them() {
    let rules = psl::rules();
    let mut compared = 0;
    for rule in rules.lines() {
        let rule = rule.split('.').rev().collect::<Vec<_>>().join(".");
        let name = rule.trim_start_matches('!').replace('*', "star");
        let above = name.split_once('.').map_or("", |(_, above)| above);
        let names = [name.as_str(), above, rule.trim_start_matches("*.")];
        for name in names {
            for before in ["", ".", "a.", "a.b."] {
                for after in ["", ".", ".."] {
                    let name = format!("{before}{name}{after}");
                    assert_eq!(psl::domain_str(&name), as_code::domain_str(&name), "{name}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200_000, "{compared}");
}

#[test]
fn names_that_are_none() {
    for name in [
        "",
        ".",
        "..",
        "a",
        "localhost",
        "com",
        "example.com",
        "EXAMPLE.COM",
        "1.2.3.4",
        "a..b",
        ".com",
        "xn--p1ai",
        "a.xn--p1ai",
        "x.xn--fiqs8s",
    ] {
        assert_eq!(psl::domain_str(name), as_code::domain_str(name), "{name}");
    }
}
