/** `jurisdiction set`: asserts where a customer is. */
import { Args } from '@oclif/core';
import { countryWarnings } from '../../cli/country-warnings.ts';
import { readJurisdictionArgument } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { placeFacts } from '../../cli/print/print-customer.ts';
import type { JurisdictionAssertion } from '../../client/shapes.ts';

export default class SetJurisdiction extends PartnerCommand<typeof SetJurisdiction> {
  static override summary = 'Assert where a customer is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> player-1 HR',
    '<%= config.bin %> <%= command.id %> player-1 US-NJ',
  ];
  static override args = {
    user: Args.string({ required: true, description: 'Your own id of the customer.' }),
    place: Args.string({
      required: true,
      description:
        'Country and subdivision by ISO 3166, for example HR or US-NJ. Letters that ISO has not assigned are accepted with a warning.',
    }),
  };

  async run(): Promise<JurisdictionAssertion> {
    const place = readJurisdictionArgument(this.args.place);
    const assertion = await this.client.put('/api/v1/users/{id}/jurisdiction', {
      path: { id: this.args.user },
      body: place,
    });
    for (const warning of countryWarnings([place.country])) {
      this.note(warning);
    }
    this.printFacts(placeFacts(assertion));
    return assertion;
  }
}
