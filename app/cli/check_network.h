/** @file check_network.h
 * What `sistrum check` says of the network: which bodies are tied to which, and what is solved
 * together.
 */
#ifndef SISTRUM_CLI_CHECK_NETWORK_H
#define SISTRUM_CLI_CHECK_NETWORK_H

#include "job.h"

/** Chains of bodies with the contacts and springs between them, then bows and blocks. */
void tell_network(const job* j);

#endif
