/** The shapes of the API by their names, out of the generated types. */
import type { components } from './api-types.ts';

type Schemas = components['schemas'];

export type ApiErrorBody = Schemas['Error'];
export type Assets = Schemas['Assets'];
export type Balance = Schemas['Balance'];
export type Cancellation = Schemas['Cancellation'];
export type CatalogueEvent = Schemas['Event'];
export type CategoryList = Schemas['CategoryList'];
export type CustomerLimits = Schemas['CustomerLimits'];
export type Deposit = Schemas['Deposit'];
export type EmbedSession = Schemas['EmbedSession'];
export type EventDetail = Schemas['EventDetail'];
export type EventList = Schemas['EventList'];
export type FeedItem = Schemas['FeedItem'];
export type FeedPage = Schemas['FeedPage'];
export type Finding = Schemas['Finding'];
export type JurisdictionAssertion = Schemas['JurisdictionAssertion'];
export type Order = Schemas['Order'];
export type OrderDetail = Schemas['OrderDetail'];
export type OrderPage = Schemas['OrderPage'];
export type Outcome = Schemas['Outcome'];
export type Position = Schemas['Position'];
export type PositionPage = Schemas['PositionPage'];
export type Price = Schemas['Price'];
export type PriceSnapshot = Schemas['PriceSnapshot'];
export type Quote = Schemas['Quote'];
export type Report = Schemas['Report'];
export type ResolutionAnswer = Schemas['ResolutionAnswer'];
export type RevokedSession = Schemas['RevokedSession'];
export type Scenario = Schemas['Scenario'];
export type ScenarioList = Schemas['ScenarioList'];
export type Settlement = Schemas['Settlement'];
export type SettlementPage = Schemas['SettlementPage'];
export type Statement = Schemas['Statement'];
export type WalletPage = Schemas['WalletPage'];
