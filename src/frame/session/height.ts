/** Reports the height of the content to the page (`sizing=auto`): on a change of 24 pixels or more, once per animation frame. */
import { boot } from '../boot.ts';
import { tellHeight } from './messages.ts';

const LEAST_CHANGE = 24;

export function followHeight(content: Element): void {
  let reported = Number.NEGATIVE_INFINITY;
  let planned = false;
  const look = () => {
    planned = false;
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (Math.abs(height - reported) < LEAST_CHANGE) {
      return;
    }
    reported = height;
    tellHeight(boot.origins, height);
  };
  new ResizeObserver(() => {
    if (planned) {
      return;
    }
    planned = true;
    requestAnimationFrame(look);
  }).observe(content);
}
