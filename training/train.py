"""Trains the model of the technique `auto`: gradient-boosted trees over blocks.

    training/train DATA [--out FOLDER] [--check]        (the script beside this file makes the environment)

DATA has the sets of pages: <set>/{pages/<id>.html,gold/<id>.txt,meta.json}. FOLDER holds what `block_features` wrote:

    features.tsv                  name and meaning of each feature
    pages.tsv                     set, page, number of blocks, of distinct gold words, of kinds of levels
    X.f32, label.f32, words.u32   a row of features, a label and the number of words for each block
    word.i32                      for each word of each block its number among the page's gold words, or -1
    gold.u32                      how often each gold word of each page occurs in the gold
    kinds.u32                     the kinds of levels of each page, by which pages of one template are known

Pages of one site, or of one template where the site is not known, are never divided between training and test. The figures
printed are cross-validated: word-bag F1, mean over pages, as the scorer of the benchmark computes it. --check leaves out whole
sets in turn: what a choice of features is worth on pages of another kind.
"""
import argparse
import json
import multiprocessing
import struct
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import lightgbm
import numpy

FOLDS = 3
SEED = 7
DEPTH = 10
# Blocks of fewer words are sampled for training, those kept standing for the others.
SHORT = 6
KEPT = 0.4
SETTINGS = dict(trees=300, leaves=63, rate=0.06)
# Processes and threads each: more threads than cores make boosting slower, not faster.
WORKERS = 2


class Data:
    def __init__(self, folder, source):
        rows = [line.split("\t") for line in (folder / "pages.tsv").read_text().splitlines()]
        self.sets = numpy.array([row[0] for row in rows])
        self.ids = [row[1] for row in rows]
        self.names = [line.split("\t")[0] for line in (folder / "features.tsv").read_text().splitlines()]
        blocks = numpy.array([int(row[2]) for row in rows])
        self.start = numpy.concatenate([[0], numpy.cumsum(blocks)])
        self.X = numpy.fromfile(folder / "X.f32", "<f4").reshape(-1, len(self.names))
        self.y = numpy.fromfile(folder / "label.f32", "<f4")
        self.words = numpy.fromfile(folder / "words.u32", "<u4").astype(numpy.int64)
        self.word = numpy.fromfile(folder / "word.i32", "<i4")
        self.word_start = numpy.concatenate([[0], numpy.cumsum(self.words)])
        gold = numpy.fromfile(folder / "gold.u32", "<u4").astype(numpy.int64)
        self.gold = numpy.split(gold, numpy.cumsum([int(row[3]) for row in rows])[:-1])
        kinds = numpy.fromfile(folder / "kinds.u32", "<u4")
        self.kinds = numpy.split(kinds, numpy.cumsum([int(row[4]) for row in rows])[:-1])
        self.page = numpy.repeat(numpy.arange(len(rows)), blocks)
        gold_words = numpy.array([count.sum() for count in self.gold])
        self.weight = numpy.minimum(1.0, (self.words + 1) / (gold_words[self.page] + 50))
        meta = {name: json.loads((source / name / "meta.json").read_text())["items"] for name in set(self.sets)}
        self.meta = [meta[name][page] for name, page in zip(self.sets, self.ids)]
        self.groups = self.find_groups()

    def find_groups(self):
        """A number for each page, the same for pages of one site or template."""
        parent = list(range(len(self.ids)))

        def root(at):
            while parent[at] != at:
                parent[at] = parent[parent[at]]
                at = parent[at]
            return at

        hosts = {}
        for at, meta in enumerate(self.meta):
            host = meta.get("site") or urlsplit(meta.get("url") or "").hostname
            if host:
                first = hosts.setdefault(host.lower().removeprefix("www."), at)
                parent[root(at)] = root(first)
        for name in sorted(set(self.sets)):
            pages = [at for at in range(len(self.ids)) if self.sets[at] == name and len(self.kinds[at]) >= 6]
            known = {at: set(self.kinds[at].tolist()) for at in pages}
            for number, at in enumerate(pages):
                for other in pages[:number]:
                    mine, theirs = known[at], known[other]
                    smaller, larger = sorted((len(mine), len(theirs)))
                    if 2 * smaller >= larger and len(mine & theirs) * 2 >= larger:
                        parent[root(at)] = root(other)
        return numpy.array([root(at) for at in range(len(self.ids))])

    def folds(self):
        """The fold of each page: groups, largest first, go where fewest pages of their set are."""
        fold = numpy.zeros(len(self.ids), int)
        for name in sorted(set(self.sets)):
            load = [0] * FOLDS
            of_set = self.sets == name
            numbers, sizes = numpy.unique(self.groups[of_set], return_counts=True)
            for size, number in sorted(zip(-sizes, numbers)):
                at = load.index(min(load))
                load[at] -= size
                fold[of_set & (self.groups == number)] = at
        # A group with pages in two sets stays together all the same.
        for number in numpy.unique(self.groups):
            pages = numpy.flatnonzero(self.groups == number)
            fold[pages] = fold[pages[0]]
        return fold

    def f1(self, page, taken):
        """Word-bag F1 of a choice of blocks of a page."""
        start, end = self.start[page], self.start[page + 1]
        words = self.word[self.word_start[start] : self.word_start[end]]
        words = words[numpy.repeat(taken, self.words[start:end])]
        gold = self.gold[page]
        found = numpy.bincount(words[words >= 0], minlength=len(gold))
        return 2 * numpy.minimum(found, gold).sum() / (len(words) + gold.sum())


def cut(p, words, demand=1.0):
    """The blocks to take: as `cut.rs`."""
    order = numpy.argsort(-p, kind="stable")
    order = order[words[order] > 0]
    taken = numpy.zeros(len(p), bool)
    if not len(order):
        return taken
    hits = numpy.cumsum(p[order] * words[order])
    value = 2 * hits / (numpy.cumsum(words[order]) + demand * (p * words).sum())
    taken[order[: int(numpy.argmax(value)) + 1]] = True
    return taken


def score(data, p, title, pages=None):
    pages = range(len(data.ids)) if pages is None else pages
    figures = {}
    for page in pages:
        span = slice(data.start[page], data.start[page + 1])
        value = data.f1(page, cut(p[span].astype(float), data.words[span]))
        figures.setdefault(data.sets[page], []).append(value)
        if "type" in data.meta[page]:
            figures.setdefault(" " + data.meta[page]["type"], []).append(value)
    means = {name: float(numpy.mean(values)) for name, values in figures.items()}
    sets = {name: mean for name, mean in means.items() if name[0] != " "}
    print(title, " ".join(f"{name} {mean:.4f}" for name, mean in sorted(sets.items())), f"mean {numpy.mean(list(sets.values())):.4f}")
    print("   ", " ".join(f"{name.strip()} {mean:.3f}" for name, mean in sorted(means.items()) if name[0] == " "), flush=True)
    return figures


def sample(data, rows):
    """Rows to train on, and their weights."""
    random = numpy.random.default_rng(SEED)
    short = data.words[rows] < SHORT
    kept = ~short | (random.random(len(rows)) < KEPT)
    rows, short = rows[kept], short[kept]
    return rows, data.weight[rows] * numpy.where(short, 1 / KEPT, 1)


def fit(X, y, weight, trees, leaves, rate, threads=1):
    settings = dict(
        objective="cross_entropy", learning_rate=rate, num_leaves=leaves, max_depth=DEPTH, max_bin=63, min_sum_hessian_in_leaf=1.0,
        min_data_in_leaf=20, feature_fraction=0.4, bagging_fraction=0.8, bagging_freq=1, lambda_l2=1.0, num_threads=threads,
        seed=SEED, deterministic=True, force_row_wise=True, verbose=-1,
    )
    return lightgbm.train(settings, lightgbm.Dataset(X, y, weight=weight), trees)


def fit_fold(test):
    """Trains without some pages and rates them; without none for the model that is kept. Data comes with the fork."""
    data = SHARED
    is_test = numpy.isin(data.page, test)
    rows, weight = sample(data, numpy.flatnonzero(~is_test))
    model = fit(data.X[rows], data.y[rows], weight, **SETTINGS)
    rated = numpy.flatnonzero(is_test)
    return model.model_to_string(), rated, model.predict(data.X[rated], num_threads=1) if len(rated) else numpy.zeros(0)


def write_model(text, names, path):
    """The model as `boosted_trees.rs` reads it."""
    model = lightgbm.Booster(model_str=text).dump_model()
    heads, nodes, values = [], [], []
    for tree in model["tree_info"]:
        first, depth = len(nodes), 0
        waiting = [(tree["tree_structure"], 0, 0)]
        nodes.append(None)
        values.append(0.0)
        while waiting:
            node, at, level = waiting.pop(0)
            depth = max(depth, level)
            if "leaf_value" in node:
                nodes[first + at] = (float("inf"), 0, at)
                values[first + at] = node["leaf_value"]
                continue
            child = len(nodes) - first
            threshold = numpy.float32(node["threshold"])
            if threshold > node["threshold"]:
                threshold = numpy.nextafter(threshold, numpy.float32("-inf"), dtype=numpy.float32)
            nodes[first + at] = (float(threshold), node["split_feature"], child)
            nodes += [None, None]
            values += [0.0, 0.0]
            waiting += [(node["left_child"], child, level + 1), (node["right_child"], child + 1, level + 1)]
        heads.append((first, depth))
    with open(path, "wb") as file:
        file.write(b"UCBT" + struct.pack("<IIIIf", 1, len(names), len(heads), len(nodes), 0.0))
        file.write("".join(name + "\n" for name in names).encode())
        for head in heads:
            file.write(struct.pack("<II", *head))
        for node in nodes:
            file.write(struct.pack("<fHH", *node))
        for value in values:
            file.write(struct.pack("<f", value))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--out", type=Path, required=True, help="the folder of what block_features writes")
    arguments.add_argument("--command", required=True, help="the program block_features")
    arguments.add_argument("--model", type=Path, required=True, help="the file of the model")
    arguments.add_argument("--check", action="store_true", help="leave out whole sets in turn instead")
    options = arguments.parse_args()
    subprocess.run([options.command, options.data, options.out], check=True)
    data = Data(options.out, options.data)
    if options.check:
        tests = [numpy.flatnonzero(data.sets == name) for name in sorted(set(data.sets))]
    else:
        fold = data.folds()
        tests = [numpy.flatnonzero(fold == number) for number in range(FOLDS)]
    # The last run leaves nothing out: it is the model that is kept.
    kept = [] if options.check else [numpy.zeros(0, int)]
    global SHARED
    SHARED = data
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        results = pool.map(fit_fold, tests + kept, chunksize=1)
    p = numpy.zeros(len(data.y))
    for _, rated, values in results[: len(tests)]:
        p[rated] = values
    numpy.save(options.out / "p.npy", p)
    score(data, p, "sets left out:" if options.check else "cross-validated:")
    if not options.check:
        write_model(results[-1][0], data.names, options.model)


if __name__ == "__main__":
    main()
