// A list with the norms it was made under. A write changes mean lengths a little, and with them every impact: the list stays,
// as near as its norms are to the present ones, until looking records up exactly has cost as much as to make it anew.

import type { FieldNorms } from "../../searchable-segment.js";
import type { ImpactList } from "../impact-list.js";
import type { AnyKinds } from "../joined-kinds.js";

/** So many look-ups are made in a list of any length. */
const LEAST_LOOK_UPS = 64;

/** A list that outlives its norms. */
export class MadeList {
  readonly list: ImpactList;
  readonly kinds: AnyKinds;
  /** The norms that it was made under, one object for all lists of a view: another than the segment's own. */
  readonly fields: FieldNorms;
  /** Records that were looked up exactly since its norms are old. */
  lookedUp = 0;

  constructor(list: ImpactList, kinds: AnyKinds, fields: FieldNorms) {
    this.list = list;
    this.kinds = kinds;
    this.fields = fields;
  }

  /** Look-ups have cost as much as it would cost to make it anew. */
  get isWorn(): boolean {
    return this.lookedUp > LEAST_LOOK_UPS + this.list.impacts.length;
  }
}
