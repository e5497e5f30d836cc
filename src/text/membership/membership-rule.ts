// Who is a member by words, as a setting says it, and what that means for the terms of a query.

import type { TextPlan } from "../impacts/text-plan.js";

/** Who is a member: every term, any term, or every term or `ratio` of the best. */
export interface MembershipRule {
  readonly matching: "auto" | "all" | "any";
  readonly ratio: number;
}

/** Whoever holds a term is a member. */
export function isAnyEnough(plan: TextPlan, matching: MembershipRule["matching"]): boolean {
  return matching === "any" || plan.terms.length === 1 || neededTerms(plan).length === 0;
}

/** Numbers of the terms that are not optional. */
export function neededTerms({ terms }: TextPlan): number[] {
  return terms.flatMap(({ optional }, i) => (optional === true ? [] : [i]));
}
