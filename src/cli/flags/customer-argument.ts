/** The customer of a command, as `USER` or as `--user USER`: lists take the flag, and a person should not have to remember which. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../failure.ts';

export const customerArgument = { user: Args.string({ description: 'Your own id of the customer.' }) };
export const customerAsFlag = { user: Flags.string({ helpValue: 'USER', summary: 'The same as the argument USER.' }) };

/** @throws a usage failure if no customer is named, or two are */
export function readCustomer(argument: string | undefined, flag: string | undefined): string {
  if (argument !== undefined && flag !== undefined && argument !== flag) {
    throw usage(`Two customers are named: ${argument} and ${flag}.`);
  }
  const user = argument ?? flag;
  if (user === undefined) {
    throw usage('Name the customer: USER, or --user USER.');
  }
  return user;
}
