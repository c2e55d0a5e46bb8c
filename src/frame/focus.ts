/** Where the keyboard and the screen reader continue after what had the focus was replaced. */

/** Takes the focus only if the frame has it already: the customer may be typing in the page around it. */
export function takeFocus(element: HTMLElement | null | undefined): void {
  if (document.hasFocus()) {
    element?.focus({ preventScroll: true });
  }
}

/** Takes the focus only if nothing has it, because the element that had it is gone. */
export function catchFocus(element: HTMLElement | null | undefined): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.matches(':disabled')) {
    takeFocus(element);
  }
}

/** To the heading of the view, for a button that is replaced by what it loads. */
export function focusHeading(): void {
  takeFocus(document.querySelector<HTMLElement>('main h1, main'));
}
