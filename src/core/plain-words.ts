/** Figures, moments and markets in sentences for people. The history of an order, the command line and its commands share them. */

const BETWEEN_THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Groups the digits of the first number of a text: 1234567.50 becomes 1,234,567.50. */
export function withThousands(value: string | number | bigint): string {
  return String(value).replace(/\d+/, (whole) => whole.replaceAll(BETWEEN_THOUSANDS, ','));
}

/** @param moment ISO-8601 in UTC. @returns the moment to the minute */
export function minuteOf(moment: string): string {
  return `${moment.slice(0, 16).replace('T', ' ')}Z`;
}

/** @returns title and outcome; the title alone for a yes-or-no question, to which the outcome adds nothing */
export function nameMarket(title: string, label: string): string {
  return label.toLowerCase() === 'yes' ? title : `${title}: ${label}`;
}
