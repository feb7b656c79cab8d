/** @file help.h
 * The texts of --help.
 */
#ifndef SISTRUM_CLI_HELP_H
#define SISTRUM_CLI_HELP_H

#include "options.h"

/** Prints what the program can do. */
void help_all(void);

/** Prints what a command does and its options. */
void help_command(command c);

/** `sistrum help [WORD]`: a command, a word of the scene language, or everything. */
int help_word(const char* word);

#endif
