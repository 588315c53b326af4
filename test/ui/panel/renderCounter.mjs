/**
 * Test entry: the panel, with a count of how often each row is drawn. A row's `li` vnode is made only when the row
 * really renders, so counting these vnodes counts renders without a hook in the product.
 */
import { options } from 'preact';

globalThis.rowRenders = [];
const before = options.vnode;
options.vnode = (vnode) => {
  if (vnode.type === 'li' && String(vnode.props.class).startsWith('cb-row')) {
    globalThis.rowRenders.push(JSON.parse(vnode.props['data-vscode-context']).sectionId);
  }
  before?.(vnode);
};
