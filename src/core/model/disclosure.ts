export const DISCLOSURES = ['full', 'summary', 'stub', 'omitted'] as const;

/** How much of a section is shown. */
export type Disclosure = (typeof DISCLOSURES)[number];

export const PAYLOAD_MODES = ['index', 'expanded'] as const;

/** The two payload kinds of a whole context (DESIGN §3.6). */
export type PayloadMode = (typeof PAYLOAD_MODES)[number];
