// Whether playwright has a Firefox on this machine.
import { existsSync } from "node:fs";
import { firefox } from "playwright-core";

process.exit(existsSync(firefox.executablePath()) ? 0 : 1);
