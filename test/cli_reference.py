"""The reference of the scene language: docs/scene-reference.md is what the program prints, and nothing in it is left unsaid."""

import json
import os
import re

from cli_case import SOURCE, Case, main, read_text

# Numbers that have no unit because they have no dimension.
PURE = {("string", "gamma"), ("plate", "poisson"), ("modal", "shape"), ("contact", "alpha"), ("contact", "s"),
        ("force", "envelope"), ("probe", "gain"), ("string", "bend"), ("input", "value"), ("input", "min"),
        ("input", "max"), ("use", "size"), ("use", "decay")}
ROW = re.compile(r'^(NUMBER|NEEDED|INTEGER|FLAG|WORD|TEXT|OBJECT|ENVELOPE|LIST|PROFILE|INPUT)\((.*)\)\s*$')


def schema():
    """type, word, key, unit or None, doc of every row of schema.def."""
    for line in read_text(os.path.join(SOURCE, "src/scene/schema.def")).split("\n"):
        row = ROW.match(line)
        if row:
            texts = [t.replace('\\"', '"') for t in re.findall(r'"((?:[^"\\]|\\.)*)"', row.group(2))]
            words = row.group(2).split(",")
            unit = texts[0] if row.group(1) in ("NUMBER", "NEEDED", "ENVELOPE", "LIST", "PROFILE") else None
            yield row.group(1), words[1].strip(), words[2].strip(), unit, texts[-1]


def tables(text):
    """word -> {key: (unit, range, default, meaning)}"""
    found, word = {}, None
    for line in text.replace("\\|", "¦").split("\n"):
        heading = re.match(r"^### `(\w+)\{\}`: ", line)
        row = re.match(r"^\| `([^`]+)` \|(.*)\|(.*)\|(.*)\|(.*)\|$", line)
        if heading:
            word = heading.group(1)
            found[word] = {}
        elif row:
            found[word][row.group(1)] = tuple(cell.strip() for cell in row.groups()[1:])
    return found


class Reference(Case):
    def setUp(self):
        super().setUp()
        self.text = self.good("help", "--reference").stdout.decode()

    def test_the_page_is_what_the_program_prints(self):
        page = read_text(os.path.join(SOURCE, "docs/scene-reference.md"))
        self.assertEqual(page, self.text, "tools/reference.sh writes docs/scene-reference.md again")

    def test_every_row_of_the_schema_is_documented_and_has_a_unit(self):
        rows = list(schema())
        self.assertGreater(len(rows), 120)
        for kind, word, key, unit, doc in rows:
            self.assertRegex(doc, r"\w{2}", "%s.%s has no documentation" % (word, key))
            if unit == "":
                self.assertIn((word, key), PURE, "%s.%s is a number without a unit" % (word, key))

    def test_every_key_that_a_scene_may_write_is_in_its_table(self):
        found = tables(self.text)
        for word, keys in found.items():
            if word == "preset":
                continue  # its keys are the params and inputs of the scene
            file = '"bodies/violin", ' if word == "use" else ""
            wrong = self.scene("wrong.lua", "%s { %sno_such_key = 1 }\n" % (word, file))
            said = self.run_program("check", wrong).stderr.decode()
            self.assertIn("its keys are ", said)
            for key in re.split(r",\s*", said.split("its keys are ")[1].strip()):
                self.assertIn(key, keys, "%s has a key %s that the reference does not tell" % (word, key))
        self.assertGreaterEqual(len(found), 15)

    def test_every_key_says_what_it_may_be_and_what_it_means(self):
        whole = {(word, key) for kind, word, key, _, _ in schema() if kind == "INTEGER"} | {("play", "voices")}
        for word, keys in tables(self.text).items():
            for key, (unit, values, default, meaning) in keys.items():
                self.assertRegex(meaning, r"\w{2}", "%s.%s" % (word, key))
                self.assertTrue(values, "%s.%s" % (word, key))
                if re.match(r"^-?[\d.e-]+ to ", values) and not unit:
                    self.assertIn((word, key), PURE | whole, "%s.%s is a number without a unit" % (word, key))

    def test_every_word_has_an_example_that_uses_it(self):
        for part in self.text.split("\n### `")[1:]:
            word = part.split("{}")[0]
            example = re.search(r"```lua\n(.*?)```", part, re.S)
            self.assertTrue(example, word)
            self.assertRegex(example.group(1), r"\b%s \{" % word)
            scene = self.scene("example.lua", example.group(1))
            self.good("render", scene, "-o", self.path("out.wav"), "--quiet", "--duration", "0.05")

    def test_the_data_for_editors_say_the_same_as_the_page(self):
        found = {}
        for word in json.loads(self.good("help", "--reference", "--json").stdout)["words"]:
            self.assertIn("```lua\n%s```" % word["example"], self.text)
            parts = [key for keys in word.get("parts", {}).values() for key in keys]
            found[word["word"]] = word["keys"] + parts
            if word["word"] in ("string", "use"):
                self.assertEqual(word["group"], "Bodies")
        page = tables(self.text)
        self.assertEqual(list(found), list(page))
        for word, keys in found.items():
            self.assertEqual([k["key"] for k in keys if k["key"] in page[word]], [k["key"] for k in keys])
            self.assertEqual({k["key"] for k in keys}, set(page[word]))
            for k in keys:
                meaning = ("*live*: " if k["live"] else "") + k["about"]
                self.assertEqual(meaning, page[word][k["key"]][3].replace("¦", "|"), "%s.%s" % (word, k["key"]))
                self.assertEqual(k["needed"], page[word][k["key"]][2] == "needed")
                self.assertEqual(k["unit"], page[word][k["key"]][0])

    def test_the_data_list_every_word_that_a_key_takes(self):
        listed = {(word["word"], key["key"]): key["words"]
                  for word in json.loads(self.good("help", "--reference", "--json").stdout)["words"] for key in word["keys"]}
        page = read_text(os.path.join(SOURCE, "src/scene/schema.def"))
        rows = re.findall(r'^WORD\(\w+, (\w+), (\w+), \w+, "([^"]+)"', page, re.M)
        self.assertGreater(len(rows), 10)
        for word, key, words in rows:
            if (word, key) in listed:  # gamma_rule is written as gamma, an envelope as a table
                self.assertEqual(listed[(word, key)], [w for w in words.split("|") if w != "envelope"])

    def test_help_takes_one_word(self):
        self.bad(2, "help takes one word, not 'twice' as well", "help", "--reference", "twice")


if __name__ == "__main__":
    main()
