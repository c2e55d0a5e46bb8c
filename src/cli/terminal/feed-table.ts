/** The live table of `feed tail`, for a terminal. Imported lazily, so that no other command pays for it. */
import { render } from 'ink';
import { createElement } from 'react';
import type { FeedItem } from '../../client/shapes.ts';
import { FeedView } from './feed-view.ts';

export interface FeedTable {
  show(items: readonly FeedItem[], note: string): void;
  close(): void;
}

/** @param onKey a letter, as it was typed, or the name of a key without one */
export function openFeedTable(onKey: (key: string) => void): FeedTable {
  const table = (items: readonly FeedItem[], note: string) => createElement(FeedView, { items, note, onKey });
  const view = render(table([], ''), { exitOnCtrlC: false });
  return {
    show: (items, note) => view.rerender(table(items, note)),
    close: () => view.unmount(),
  };
}
