// All that the bench of speed measures, ours first, by the name that --only takes.

import { PEERS } from "./peers.mjs";
import { TANDEM } from "./tandem.mjs";

export const ENGINES = { ...TANDEM, ...PEERS };
