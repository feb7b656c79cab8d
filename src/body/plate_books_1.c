// Books of plates, one point at a time.
#define LANES 1
#include "body/plate_books_lanes.h"
