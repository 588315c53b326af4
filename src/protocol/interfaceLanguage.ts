/** The language of a webview: the host puts it into the page's first HTML as data, the page reads it before it draws. */
import { isRecord } from '../core/text/jsonRecord';
import type { PhraseBundle } from '../core/text/phrase';

// The webviews import types of core only; how words are put together comes through here.
export { formatThousands, roundEstimate } from '../core/text/numbers';
export { sayPhrase } from '../core/text/phrase';

/** What a page needs to speak. */
export interface InterfaceLanguage {
  /** BCP 47 tag for numbers and dates; `en` wherever there is no bundle. */
  readonly locale: string;
  /** Templates by their English; empty for English. */
  readonly bundle: PhraseBundle;
  /** Titles of the commands that are buttons of the page too, by the actions' names: the manifest has their words. */
  readonly titles?: Readonly<Record<string, string>>;
}

export const ENGLISH: InterfaceLanguage = { locale: 'en', bundle: {} };

/** Id of the element that holds the language as JSON. */
export const LANGUAGE_ELEMENT_ID = 'language';

/** The language as the element's text; nothing in it can end the element. */
export function writeLanguage(language: InterfaceLanguage): string {
  return JSON.stringify(language).replaceAll('<', '\\u003c');
}

function asBundle(value: unknown): PhraseBundle {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Reads what `writeLanguage` wrote; English where there is nothing, or nothing that can be read. */
export function readLanguage(text: string | null | undefined): InterfaceLanguage {
  if (!text) return ENGLISH;
  const value: unknown = JSON.parse(text);
  return isRecord(value) && typeof value.locale === 'string'
    ? { locale: value.locale, bundle: asBundle(value.bundle), titles: asBundle(value.titles) }
    : ENGLISH;
}
