/** The search of the documentation: a dialog over an index that the server made; nothing typed leaves the browser. */
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from '../../wire/docs-search.ts';

const MOST = 12;

let index: Promise<MiniSearch<SearchEntry>> | undefined;
let dialog: HTMLDialogElement | undefined;

export async function showSearch(): Promise<void> {
  dialog ??= createDialog();
  if (!dialog.open) {
    dialog.showModal();
  }
  dialog.querySelector('input')?.select();
  index ??= loadIndex();
  index.catch(() => {
    index = undefined;
  });
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const answer = await fetch('/docs/search.json');
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  return MiniSearch.loadJSON<SearchEntry>(await answer.text(), SEARCH_OPTIONS);
}

function createDialog(): HTMLDialogElement {
  const box = document.createElement('dialog');
  box.className = 'finder';
  box.setAttribute('aria-label', 'Search the documentation');
  const input = document.createElement('input');
  input.type = 'text';
  input.placeholder = 'Search guides, calls and error codes';
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search',
    'aria-controls': 'found',
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  })) {
    input.setAttribute(name, value);
  }
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const list = document.createElement('div');
  list.id = 'found';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  box.append(input, status, list);
  document.body.append(box);

  input.addEventListener('input', () => void show(input, status, list));
  input.addEventListener('keydown', (event) => moveOrOpen(event, input, list));
  box.addEventListener('click', (event) => {
    if (event.target === box || (event.target instanceof Element && event.target.closest('a') !== null)) {
      box.close();
    }
  });
  return box;
}

async function show(input: HTMLInputElement, status: HTMLElement, list: HTMLElement): Promise<void> {
  const wanted = input.value.trim();
  try {
    const found = wanted === '' ? [] : (await (index ?? loadIndex())).search(wanted).slice(0, MOST);
    if (wanted !== input.value.trim()) {
      return;
    }
    list.replaceChildren(
      ...found.map((entry, place) =>
        createResult(String(entry.id), String(entry['title']), String(entry['page']), String(entry['extract']), place),
      ),
    );
    status.textContent =
      wanted === '' ? '' : found.length === 0 ? `Nothing found for “${wanted}”.` : `${found.length} results`;
    choose(input, list, 0);
  } catch {
    status.textContent = 'The search could not be loaded. Try again.';
  }
}

function createResult(address: string, title: string, page: string, extract: string, place: number): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = address;
  link.id = `found-${place}`;
  link.setAttribute('role', 'option');
  link.tabIndex = -1;
  const [name, where, what] = ['b', 'i', 'span'].map((tag) => document.createElement(tag)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  name.textContent = title;
  where.textContent = page === title ? '' : page;
  what.textContent = extract === page ? '' : extract;
  link.append(name, where, what);
  return link;
}

function moveOrOpen(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const options = [...list.children];
  const now = options.findIndex((one) => one.getAttribute('aria-selected') === 'true');
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    choose(input, list, (now + step + options.length) % Math.max(1, options.length));
  } else if (event.key === 'Enter') {
    event.preventDefault();
    (options[now] as HTMLAnchorElement | undefined)?.click();
  }
}

function choose(input: HTMLInputElement, list: HTMLElement, place: number): void {
  for (const [index, one] of [...list.children].entries()) {
    one.setAttribute('aria-selected', String(index === place));
    if (index === place) {
      one.scrollIntoView({ block: 'nearest' });
    }
  }
  input.setAttribute('aria-activedescendant', list.children[place]?.id ?? '');
}
