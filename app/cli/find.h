/** @file find.h
 * Scenes by name: `sistrum render tanpura` plays the installed tanpura.lua.
 *
 * A word with '/', or one that ends in .lua and is a file here, is that file. Any other is looked
 * for as WORD.lua here, then in the folders of $SISTRUM_SCENES, in share/sistrum/scenes beside the
 * folder of the program, and, for a program that was built and not installed, in scenes/ of its
 * source tree. A file WORD without an ending comes last: the program itself is called as a scene
 * is.
 */
#ifndef SISTRUM_CLI_FIND_H
#define SISTRUM_CLI_FIND_H

#include "options.h"

/** One installed scene. */
typedef struct found_scene {
    char* name; // of the file, without .lua
    char* path;
} found_scene;

/** All of them, by name; where two folders have the same name, the first folder's. */
typedef struct found_scenes {
    char* folders[64]; // that were searched, in this order; those that do not exist as well
    int folder_count;
    found_scene* scenes;
    int count, room;
    bool lost; // out of memory
} found_scenes;

found_scenes find_all(void);
void found_free(found_scenes* all);

/** The file that `word` means; the caller frees it. NULL: there is none of that name, or *lost: no
 * memory. A folder of $SISTRUM_SCENES that does not exist is told where it was searched first. */
char* find_scene(const char* word, bool* lost);

enum { MISSING_TEXT = 2048 }; // bytes of such a sentence

/** What is wrong with $SISTRUM_SCENES, as a sentence for complaints and warnings: those of its
 * first `most` folders that are none, by name as far as there is room. Returns `text`; "": nothing. */
const char* find_missing(int most, char* text, size_t room);

/** Puts files in the place of the words of `o` that name scenes. What is not found stays as it is,
 *  for find_complain. False: out of memory. */
bool find_words(options* o);

/** Whether `word` is a name that find_words found no scene for. */
bool find_is_lost(const char* word);

/** Says that there is no scene of that name, which one may be meant and where it was looked for;
 *  EXIT_SCENE, or EXIT_RUN when there is no memory to look. */
int find_complain(const char* word);

#endif
