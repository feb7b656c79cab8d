/** @file starter.h
 * starter.lua, built in: what `sistrum new` writes.
 */
#ifndef SISTRUM_CLI_STARTER_H
#define SISTRUM_CLI_STARTER_H

extern const char starter_text[];

#endif
