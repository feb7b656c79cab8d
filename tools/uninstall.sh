#!/bin/sh
# Removes what `make install` has put there, by its list (build/release/install_manifest.txt), and the folders that are
# empty then. Files that somebody else added stay, with their folders.
set -eu
cd "$(dirname "$0")/.."
list="build/release/install_manifest.txt"
if [ ! -f "$list" ]; then
    echo "Nothing to remove: there is no $list, so \`make install\` was not run from here." >&2
    exit 1
fi
# A staged install: the list does not say so, `make install` wrote it down.
stage=""
if [ -f build/release/install_stage.txt ]; then stage=$(cat build/release/install_stage.txt); fi
removed=0
missing=0
folders=$(mktemp)
trap 'rm -f "$folders"' EXIT
# The last line has no newline.
while IFS= read -r file || [ -n "$file" ]; do
    file="$stage$file"
    dirname "$file" >>"$folders"
    if [ -e "$file" ] || [ -L "$file" ]; then
        rm -f -- "$file"
        removed=$((removed + 1))
    else
        missing=$((missing + 1))
    fi
done <"$list"
# Folders of our own, the deepest first; one that is not empty stays, and so do those above it.
sort -ru "$folders" | while IFS= read -r folder; do
    while case "$folder" in */sistrum | */sistrum/*) true ;; *) false ;; esac do
        if [ -d "$folder/__pycache__" ] && [ "$(basename "$folder")" = sistrum ]; then
            rm -rf -- "$folder/__pycache__"
        fi
        rmdir -- "$folder" 2>/dev/null || break
        folder=$(dirname "$folder")
    done
done
rm -f "$list" build/release/install_stage.txt
gone=""
if [ "$missing" != 0 ]; then gone="; gone already: $missing"; fi
echo "files removed: $removed$gone"
