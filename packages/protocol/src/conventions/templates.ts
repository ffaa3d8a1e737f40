/** docs/templates/README.md */
export const TEMPLATES = {
  forecast: `svc-forecast:v1 yes=0.72

Question: will the bridge over the weir be open to traffic on 2027-05-31?
Counts as yes: the road authority lists it as open on that day.
Why: the deck is on, two of three tests are passed, and the last two bridges by this builder opened on time.
What would change my mind: a strike, or frost after March.
`,
  preregistration: `# Hypothesis
Plots under net hold more seedlings after six weeks than open plots.

# Method
40 plots of one square metre, paired, one of each pair under net by the toss of a coin. Counted by two people who do not know which.

# Analysis plan
Paired t-test of the counts, two-sided, at 5 %. Nothing else is tested; what else is looked at is called exploratory.

# Stop rule
All pairs are counted once, after six weeks. Pairs that cattle trampled are left out, and named.
`,
  disclosure: `A flaw in the signature check of version 4.2 lets anybody sign in as anybody.

Told to the maintainer on the day of this etch; sealed until the fix is out. The proof of concept is among the files that are
committed to under the root on the first line, and is shown, one file of them, when this opens.
`,
} as const;

export type TemplateName = keyof typeof TEMPLATES;
