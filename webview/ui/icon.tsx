import type { JSX } from 'preact';

/** Codicons in use; `styles/icons.css` holds one rule for each. */
export type IconName =
  | 'add'
  | 'check'
  | 'chevron-down'
  | 'chevron-right'
  | 'circle-outline'
  | 'circle-slash'
  | 'close'
  | 'copy'
  | 'dash'
  | 'edit'
  | 'error'
  | 'exclude'
  | 'eye'
  | 'filter'
  | 'fold'
  | 'git-compare'
  | 'go-to-file'
  | 'info'
  | 'lightbulb'
  | 'list-ordered'
  | 'lock'
  | 'pin'
  | 'pinned'
  | 'play'
  | 'question'
  | 'sync'
  | 'unfold'
  | 'warning';

/** A codicon, hidden from screen readers: the words beside it say the same. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return <span class={`i i-${name}`} aria-hidden="true" />;
}
