import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../ui/icon';

/** One part of a page, under a heading of its own. */
export function Part({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** A table that scrolls sideways where the editor is narrow; the keyboard reaches it for that. */
export function Scrolling({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (WCAG 2.1.1).
    <section class="scrolling" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface InsteadProps {
  /** Undefined before the host has answered. */
  readonly snapshot: { readonly state: string; readonly message?: string | undefined } | undefined;
  readonly words: {
    readonly loading: string;
    readonly failedTitle: string;
    readonly showLog: string;
    /** By states in which there is nothing to show. */
    readonly none: Readonly<Record<string, string>>;
  };
  readonly showLog: () => void;
}

/** What stands there instead of what the page shows: that it comes, why it does not, or why there is none. */
export function Instead({ snapshot, words, showLog }: InsteadProps): JSX.Element | null {
  const { state = 'loading', message } = snapshot ?? {};
  if (state === 'loading')
    return (
      <div class="waiting" role="status">
        {words.loading}
      </div>
    );
  if (state === 'failed')
    return (
      <div class="message" role="alert">
        <Icon name="error" />
        <p>
          <strong>{words.failedTitle}</strong> {message}{' '}
          <button type="button" class="link" onClick={showLog}>
            {words.showLog}
          </button>
        </p>
      </div>
    );
  const none = words.none[state];
  return none === undefined ? null : <p class="empty">{none}</p>;
}
