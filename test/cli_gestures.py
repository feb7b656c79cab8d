"""Inputs of scenes on the command line: curves, blows, what was recorded, and what is refused."""

import json
import os
import shutil
import unittest

from cli_case import RunCase, main, read_bytes, read_npy, read_text

BOWED = """
local press = input { "press", 0.4, min = 0, max = 2, unit = "N", smooth = SMOOTH }
local speed = input { "speed, of hair", 0.2, min = -1, max = 1, unit = "m/s", label = "speed" }
local knock = input { "knock", trigger = true, max = 10 }
local s = string { length = 0.65, tension = 70, density = 4e-3, sigma0 = 0.5, sigma1 = 1e-3, name = "wire" }
bow { on = s, at = 0.08, force = press, velocity = 2 * speed - 0.1, name = "stick" }
force { on = s, at = 0.3, peak = 1, width = 1e-3, trigger = knock, name = "tap" }
probe { on = s, at = 0.6, quantity = "velocity", name = "out" }
render { rate = 22050, duration = 0.1 }
"""

# Where the hand is, and nothing else: a driven mass shows every value of its input.
HAND = """
local x = input { "x", 0, min = -1, max = 1 }
local m = mass { path = x }
probe { on = m, name = "u" }
render { rate = 1000, duration = 0.05 }
"""

TAPPED = """
local tap = input { "tap", trigger = true, max = 10 }
local m = mass { mass = 1 }
force { on = m, shape = "impulse", peak = 1, trigger = tap }
probe { on = m, quantity = "velocity", name = "v" }
render { rate = 1000, duration = 0.02 }
"""


class GestureCase(RunCase):
    def setUp(self):
        super().setUp()
        self.bowed = self.scene("bowed.lua", BOWED.replace("SMOOTH", "0"))
        self.smooth = self.scene("smooth.lua", BOWED.replace("SMOOTH", "0.01"))
        self.hand = self.scene("hand.lua", HAND)
        self.tapped = self.scene("tapped.lua", TAPPED)
        self.curve = self.scene("curve.csv", "# how it is pressed\ntime,value\n0,0.1\n0.03, 0.5\n\n0.06,1.5\n0.061,0.2\n")
        self.blows = self.scene("blows.csv", "0.02,3\n0.05,1\n")
        self.before = set(os.listdir(self.folder))

    def data(self, *arguments):
        self.good("render", *arguments, "--data", "data.npy", "--quiet")
        return [row[0] for row in read_npy(self.path("data.npy"))]


class Curves(GestureCase):
    def test_a_curve_is_linear_between_its_points_and_held_at_both_ends(self):
        line = self.scene("line.csv", "0.01,0.2\n0.02,0.4\n")
        u = self.data(self.hand, "--input", f"x={line}")
        for n, value in enumerate(u[1:], 1): # a place of row n is reached at (n + 1)/rate
            wanted = 0.2 + 0.2 * min(max((n - 1 - 10) / 10, 0), 1)
            self.assertAlmostEqual(value, wanted, delta=1e-12)

    def test_the_curve_says_where_the_input_starts(self):
        line = self.scene("line.csv", "0,0.7\n")
        self.assertEqual(set(self.data(self.hand, "--input", f"x={line}")), {0.7})

    def test_a_setting_says_where_the_input_starts(self):
        self.assertEqual(set(self.data(self.hand, "--set", "x=0.25")), {0.25})
        self.assertEqual(self.report(self.hand, "--set", "x=0.25")["inputs"][0]["value"], 0.25)

    def test_each_line_of_a_trigger_is_one_blow_at_the_nearest_sample(self):
        blows = self.scene("two.csv", "0.0031,2\n0.0099,3\n")
        v = self.data(self.tapped, "--input", f"tap={blows}")
        self.assertEqual(v[2], 0)
        self.assertAlmostEqual(v[5], 2, delta=1e-9)
        self.assertAlmostEqual(v[-1], 5, delta=1e-9)

    def test_without_a_curve_a_trigger_is_struck_once_with_1(self):
        v = self.data(self.tapped)
        self.assertEqual((v[0], v[-1]), (0, 1))
        blow = self.scene("one.csv", "0.001,1\n")
        self.assertEqual(self.data(self.tapped, "--input", f"tap={blow}"), v)
        self.assertEqual(set(self.data(self.tapped, "--input", f"tap={self.scene('none.csv', '')}")), {0.0})

    def test_a_blow_is_within_the_range_of_its_trigger(self):
        soft = self.scene("soft.lua", TAPPED.replace("max = 10", "max = 0.25"))
        self.assertEqual(self.data(soft)[-1], 0.25)
        self.assertEqual(self.report(soft)["inputs"][0]["clamped"], 0)

    def test_play_says_which_triggers_are_struck(self):
        two = TAPPED.replace("local m", 'local other = input { "other", trigger = true }\nlocal m') + """
force { on = m, shape = "impulse", peak = 10, trigger = other }
"""
        self.assertEqual(self.data(self.scene("both.lua", two))[-1], 11)
        self.assertEqual(self.data(self.scene("one.lua", two + 'play { velocity = "tap" }'))[-1], 1)
        courses = 'play { courses = { { velocity = "other" }, { velocity = "tap" } } }'
        self.assertEqual(self.data(self.scene("courses.lua", two + courses))[-1], 11)
        numbers = 'param { "p", 1, min = 0, max = 1 }\nplay { velocity = "p" }'
        self.assertEqual(set(self.data(self.scene("number.lua", two + numbers))), {0.0})

    def test_a_record_holds_the_blow_and_a_record_without_one_is_silent(self):
        self.data(self.tapped, "--record", "struck.csv")
        self.assertEqual(read_text(self.path("struck.csv")), "time,name,value\n0.001,tap,1\n")
        self.assertEqual(self.data(self.tapped, "--input", "struck.csv")[-1], 1)
        silent = self.scene("silent.csv", "time,name,value\n")
        self.assertEqual(set(self.data(self.tapped, "--input", silent)), {0.0})

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot here")
    def test_pictures_and_comparisons_are_struck_too(self):
        self.good("plot", self.tapped, "-o", "struck.svg", "--what", "signal")
        self.good("plot", self.tapped, "-o", "still.svg", "--what", "signal", "--input",
                  f"tap={self.scene('none.csv', '')}")
        self.assertNotEqual(read_bytes(self.path("struck.svg")), read_bytes(self.path("still.svg")))
        wall = self.scene("wall.lua", TAPPED.replace("duration = 0.02", "duration = 0.2") + """
contact { above = barrier { height = 0.05 }, below = m, K = 1e6, alpha = 1.5 }
""")
        table = self.good("compare", wall, "--schemes", "ledger,newton").stdout.decode()
        self.assertRegex(table, r"ledger +-?(1|0\.99\d*|99\d(\.\d+)?) (m/s|mm/s)")

    def test_curves_of_different_inputs_do_not_disturb_each_other(self):
        none = self.scene("none.csv", "")
        alone = self.data(self.bowed, "--input", f"press={self.curve}", "--input", f"knock={none}")
        both = self.data(self.bowed, "--input", f"press={self.curve}", "--input", f"knock={self.blows}")
        first = next(n for n in range(len(alone)) if alone[n] != both[n])
        self.assertTrue(0 <= first / 22050 - 0.02 < 3e-3, first)

    def test_the_energy_balance_closes_whatever_the_hand_does(self):
        report = self.report(self.smooth, "--input", f"press={self.curve}", "--input", f"knock={self.blows}")
        self.assertLess(report["energy"]["residual_max"], 1e-12)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot here")
    def test_a_picture_follows_the_curves(self):
        self.good("plot", self.hand, "-o", "still.svg", "--what", "signal")
        self.good("plot", self.hand, "-o", "moved.svg", "--what", "signal", "--input",
                  f"x={self.scene('line.csv', '0,0%c0.05,1' % 10)}")
        self.assertNotEqual(read_bytes(self.path("still.svg")), read_bytes(self.path("moved.svg")))


class Records(GestureCase):
    def play_twice(self, *arguments):
        self.good("render", *arguments, "-o", "a.wav", "--data", "a.npy", "--record", "a.csv", "--quiet",
                  "--input", f"press={self.curve}", "--input", f"knock={self.blows}")
        self.good("render", *arguments, "-o", "b.wav", "--data", "b.npy", "--record", "b.csv", "--quiet",
                  "--input", "a.csv")
        for end in "wav", "npy", "csv":
            self.assertEqual(read_bytes(self.path("a." + end)), read_bytes(self.path("b." + end)), end)

    def test_what_was_recorded_plays_the_same_bytes(self):
        self.play_twice(self.bowed)

    def test_the_same_with_smoothing_and_oversampling(self):
        self.play_twice(self.smooth)
        self.play_twice(self.bowed, "--oversample", "3")
        self.play_twice(self.smooth, "--oversample", "4", "--rate", "11025.5")

    def test_the_same_where_values_are_held_to_their_range(self):
        self.curve = self.scene("far.csv", "0,-1\n0.02,5\n0.05,-1\n0.09,1\n")
        self.play_twice(self.smooth)

    def test_a_record_names_every_input_at_the_start_and_where_it_changes(self):
        step = self.scene("step.csv", "0,0.25\n0.02,0.25\n0.021,0.5\n")
        self.good("render", self.hand, "--record", "x.csv", "--input", f"x={step}", "--quiet")
        self.assertEqual(read_text(self.path("x.csv")), "time,name,value\n0,x,0.25\n0.02,x,0.25\n0.021,x,0.5\n")
        self.good("render", self.hand, "--record", "x.csv", "--set", "x=0.5", "--quiet")
        self.assertEqual(read_text(self.path("x.csv")), "time,name,value\n0,x,0.5\n")

    def test_a_name_may_hold_commas(self):
        self.good("render", self.bowed, "--record", "x.csv", "--quiet")
        self.assertIn("\n0,speed, of hair,0.2\n", read_text(self.path("x.csv")))
        self.good("render", self.bowed, "--data", "d.npy", "--input", "x.csv", "--quiet")

    def test_a_curve_that_is_read_is_not_written(self):
        self.bad(2, "is the curve itself", "render", self.bowed, "--input", f"press={self.curve}", "--record", self.curve)


class Reports(GestureCase):
    def test_the_report_has_the_inputs_with_their_ranges(self):
        inputs = self.report(self.bowed)["inputs"]
        self.assertEqual([i["name"] for i in inputs], ["press", "speed, of hair", "knock"])
        self.assertEqual((inputs[0]["min"], inputs[0]["max"], inputs[0]["clamped"]), (0, 2, 0))
        self.assertEqual((inputs[0]["unit"], inputs[1]["label"], inputs[2]["trigger"]), ("N", "speed", True))
        self.assertEqual(self.report(self.bounce)["inputs"], [])

    def test_values_outside_the_range_are_held_counted_and_said_once(self):
        far = self.scene("far.csv", "0,3\n0.0999,3\n")
        done = self.good("render", self.bowed, "--json", "-", "--quiet", "--input", f"press={far}")
        self.assertEqual(json.loads(done.stdout)["inputs"][0]["clamped"], 2205)
        self.assertEqual(done.stderr.decode(), "sistrum: bowed.lua: input 'press' was held to 0 .. 2 N at 2205 steps\n")
        held = self.scene("held.csv", "0,2\n")
        self.assertEqual(self.data(self.bowed, "--input", f"press={far}"),
                         self.data(self.bowed, "--input", f"press={held}"))

    def test_check_tells_what_follows_an_input(self):
        said = self.checked(self.smooth)
        self.assertRegex(said, r"inputs +press = 0\.4 N +0 to 2 N +smooth over 10 ms +force of stick\n")
        self.assertRegex(said, r"speed, of hair = 0\.2 m/s +-1 to 1 m/s +at once +velocity of stick \(2 x -0\.1\)\n")
        self.assertRegex(said, r"knock, a trigger +0 to 10 +at once +trigger of tap\n")
        self.assertNotIn("inputs", self.checked(self.bounce))

    def test_params_lists_inputs(self):
        said = self.good("params", self.bowed).stdout.decode()
        self.assertRegex(said, r"(?m)^press +0\.4 +N +0 to 2 +input +press$")
        self.assertRegex(said, r"(?m)^knock +0 to 10 +trigger +knock$")
        inputs = json.loads(self.good("params", self.bowed, "--json").stdout)["inputs"]
        self.assertEqual([(i["name"], i["trigger"]) for i in inputs][2], ("knock", True))

    def test_help_knows_inputs_and_live_keys(self):
        self.assertIn('input{ "NAME", VALUE', self.good("help", "input").stdout.decode())
        self.assertRegex(self.good("help", "force").stdout.decode(), r"(?m)^ +peak .* live: ")
        reference = self.good("help", "--reference").stdout.decode()
        self.assertRegex(reference, r"(?m)^\| `peak` .*\| \*live\*: largest")
        self.assertNotRegex(reference, r"(?m)^\| `width` .*\*live\*")


class Refusals(GestureCase):
    def wrong(self, text, part, name="press"):
        self.scene("wrong.csv", text)
        self.keep("wrong.csv")
        argument = f"{name}=wrong.csv" if name else "wrong.csv"
        self.bad(2, part, "render", self.bowed, "-o", "out.wav", "--json", "out.json", "--input", argument)

    def test_a_malformed_curve_is_told_with_its_file_and_line(self):
        self.wrong("0,1\n0.1\n", "wrong.csv:2: expected two columns, time,value, got 0.1")
        self.wrong("0,1\n0.1,2,3\n", "wrong.csv:2: expected two columns")
        self.wrong("0,1\n\n# x\n0.1,high\n", "wrong.csv:4: no number: high")
        self.wrong("0,1\n0.1,inf\n", "wrong.csv:2: no number: inf")
        self.wrong("zero,1\n", "wrong.csv:1: no number: zero")
        self.wrong("time,value\ntime,value\n", "wrong.csv:2: no number: time")
        self.wrong("0,1\n0.2,1\n0.2,2\n", "wrong.csv:3: times must increase")
        self.wrong("0,1\n" + "1" * 3000 + "\n", "wrong.csv:2: this is no line of a curve")
        self.wrong("0,1\n0\0,1\n", "wrong.csv:2: this is no line of a curve")
        self.wrong("# empty\n", "wrong.csv: there is no point in it")
        self.wrong("-1,1\n", "wrong.csv:1: a blow before the start", "knock")

    def test_a_malformed_record_is_told_with_its_file_and_line(self):
        self.wrong("time,name,value\n0,pres,1\n", "wrong.csv:2: the scene has no input pres", "")
        self.wrong("time,name,value\n0,1\n", "wrong.csv:2: expected three columns", "")
        self.wrong("0,press,1\n0,press,2\n", "wrong.csv:2: times must increase", "")

    def test_unknown_inputs_and_files_are_refused(self):
        self.bad(2, "no input 'pres' (did you mean 'press'?)", "render", self.bowed, "-o", "o.wav", "--input",
                 f"pres={self.curve}")
        self.bad(2, "no input 'x'; it has: none", "render", self.bounce, "-o", "o.wav", "--input", f"x={self.curve}")
        self.bad(2, "cannot read the curve 'none.csv'", "render", self.bowed, "-o", "o.wav", "--input", "press=none.csv")
        self.bad(2, "--input needs", "render", self.bowed, "-o", "o.wav", "--input", "press=")
        self.bad(2, "--input needs", "render", self.bowed, "-o", "o.wav", "--input", "=curve.csv")

    def test_an_input_is_moved_by_one_hand(self):
        twice = ("--input", f"press={self.curve}")
        self.bad(2, "has a curve already", "render", self.bowed, "-o", "o.wav", *twice, *twice)
        self.bad(2, "--set press: the curve", "render", self.bowed, "-o", "o.wav", *twice, "--set", "press=1")

    def test_settings_keep_to_the_range(self):
        self.bad(2, "press = 3 N is outside 0 .. 2", "render", self.bowed, "-o", "o.wav", "--set", "press=3")
        self.bad(2, "knock is a trigger", "render", self.bowed, "-o", "o.wav", "--set", "knock=1")
        self.bad(2, "unknown param or input 'pres'", "check", self.bowed, "--set", "pres=1")

    def test_a_record_that_cannot_be_written_is_a_run_that_failed(self):
        for path in ("nowhere/r.csv", "."):
            self.bad(1, "cannot write", "render", self.bowed, "--record", path)
        self.bad(1, "cannot write", "render", self.bowed, "-o", "x.wav", "--record", "nowhere/r.csv")

    def test_a_scene_without_inputs_has_nothing_to_record(self):
        self.bad(3, "nothing to record", "render", self.bounce, "--record", "r.csv")

    def test_gestures_belong_to_one_run(self):
        curve = ("--input", f"press={self.curve}")
        self.bad(2, "one scene at a time", "render", self.bowed, self.smooth, "-o", "out/", *curve)
        self.bad(2, "--record writes .csv", "render", self.bowed, "--record", "r.wav")
        self.bad(2, "without --midi", "render", self.bowed, "--midi", "song.mid", "-o", "o.wav", *curve)


if __name__ == "__main__":
    main()
