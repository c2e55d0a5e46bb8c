/** What the rows of a revenue statement can be: one subject, or any two of them in the order of their columns and of the rows. */

export const REVENUE_BY = [
  'day',
  'customer',
  'market',
  'day,customer',
  'day,market',
  'customer,day',
  'customer,market',
  'market,day',
  'market,customer',
] as const;

export type RevenueBy = (typeof REVENUE_BY)[number];
export type RevenueSubject = 'day' | 'customer' | 'market';

export function revenueSubjects(by: RevenueBy): RevenueSubject[] {
  return by.split(',') as RevenueSubject[];
}
