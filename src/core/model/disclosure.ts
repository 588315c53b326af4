/** How much of a section is shown. */
export type Disclosure = 'full' | 'summary' | 'stub' | 'omitted';

/** The two payload kinds of a whole context (DESIGN §3.6). */
export type PayloadMode = 'index' | 'expanded';
