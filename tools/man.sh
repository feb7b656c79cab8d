#!/bin/sh
# Prints the man page: man/sistrum.1.in with the commands and options that the program itself tells, so that the two
# cannot differ.
#   tools/man.sh PROGRAM [FILE]
set -eu
program=$(realpath "$1")
if [ -n "${2:-}" ]; then # complete, or not at all
    "$0" "$1" >"$2.part"
    mv "$2.part" "$2"
    exit 0
fi
cd "$(dirname "$0")/.."

# Plain text to troff: backslashes, dashes that a user types, and lines that would be requests.
escape() {
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/'/\\\\(aq/g" -e 's/^\([.]\)/\\\&\1/'
}

# One command: first its calls, then what it does, then a paragraph for each option.
describe() {
    "$program" help "$1" | escape | awk -v word="$1" '
        NR == 1 { print ".SS " word }
        /^sistrum / { # further calls may stand below what the first ones do
            sub(/^sistrum [a-z]+/, "\\fB&\\fR")
            if (text) print ".PP"; else if (NR > 1) print ".br"
            text = 0
            print
            next
        }
        /^  / {
            sub(/^ +/, "")
            # Two blanks part an option from what it says; a long option may leave one only.
            at = match($0, /  +/)
            if (!at) { at = match($0, / [a-z]/); RLENGTH = 1 }
            left = substr($0, 1, at - 1)
            print ".TP\n\\fB" left "\\fR\n" substr($0, at + RLENGTH)
            next
        }
        /^$/ { next }
        !text { print ".PP"; text = 1 }
        /^[a-z0-9_]+: / { print ".br" } # an entry of a list in the text
        { print }'
}

commands=$("$program" --help | sed -n 's/^  sistrum \([a-z][a-z]*\) .*/\1/p' | grep -v '^help$')
version=$("$program" --version | sed 's/.* //')
day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%d)
words=$("$program" --help | sed -n 's/^A scene is a Lua file made of the words \(.*\)\.$/\1/p')
if [ -z "$commands" ] || [ -z "$words" ]; then
    echo "tools/man.sh: cannot read the --help of $program" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for command in $commands; do describe "$command"; done >"$work/commands"
printf '.SS help\n\\fBsistrum help\\fR [WORD]\n.PP\nHelp on a command, or on a word of the scene language.\n' >>"$work/commands"
"$program" --help | sed -n 's/^Exit codes: \(.*\)\.$/\1/p' | tr ',' '\n' |
    sed 's/^ *\([0-9]\) \(.*\)/.TP\n.B \1\n\2/' >"$work/codes"
sed -e "s/@VERSION@/$version/" -e "s/@DATE@/$day/" -e "s/@WORDS@/$words/" \
    -e "/^@COMMANDS@$/r $work/commands" -e "/^@EXIT@$/r $work/codes" -e '/^@[A-Z]*@$/d' man/sistrum.1.in
