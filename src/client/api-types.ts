/** The partner API as types. Written by `npm run client` from the OpenAPI document; do not edit it here. */

export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of the service
         * @description Get the health of the service.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Lists the events that you are offered, filtered and sorted.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Returns one event by its id or slug, with all its outcomes.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get price history
         * @description Returns the recorded prices of an event.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["getEventHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Name contracts
         * @description Returns the names of contracts, each with its event.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["listContractNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{id}/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the order book
         * @description Returns the order book of one contract.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["getContractBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contracts/{id}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recent trades
         * @description Lists the recent trades of a contract, as the market reports them.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["getContractTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Lists the categories, with the number of events that are offered in each.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture
         * @description The picture of an event.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream prices
         * @description Streams prices as server-sent events.
         *
         *     The first event is `snapshot`. `price` events follow, also for a pause and its end, and `closed` if a contract stops trading for good. A `: ping` comment is sent every 15 s. An optional `Authorization: Embed <token>` selects the offering policy. No API key is accepted.
         */
        get: operations["streamPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a session
         * @description Creates a short-lived session for one customer. Its token is shown only once.
         *
         *     Scopes: `markets:read`, `quotes:write`, `orders:write`.
         */
        post: operations["mintEmbedSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Ends the session at once. A repeated call changes nothing.
         *
         *     Scopes: `orders:write`.
         */
        delete: operations["revokeEmbedSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/jurisdiction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's jurisdiction
         * @description Returns the place of the customer that you stated.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["getJurisdiction"];
        /**
         * Set a customer's jurisdiction
         * @description States the place of the customer.
         *
         *     Scopes: `orders:write`.
         */
        put: operations["putJurisdiction"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's limits
         * @description Returns the limits that you set, and the limits that apply.
         *
         *     Scopes: `orders:write`.
         */
        get: operations["getCustomerLimits"];
        /**
         * Set a customer's limits
         * @description Replaces the limits that you set for the customer.
         *
         *     Scopes: `orders:write`.
         */
        put: operations["putCustomerLimits"];
        post?: never;
        /**
         * Remove a customer's limits
         * @description Removes the limits that you set. `effective` has the limits that still apply.
         *
         *     Scopes: `orders:write`.
         */
        delete: operations["deleteCustomerLimits"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a quote
         * @description Returns a price for a buy by stake, or a sell by contracts. The price is held for some seconds.
         *
         *     Scopes: `quotes:write`.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Lists the orders of your customers, newest first.
         *
         *     Scopes: `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description Places an order at the price of a quote. If you send the same `clientOrderId` again, you get the order that it made, and no second order is placed.
         *
         *     Scopes: `orders:write`.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description Returns one order with its intent, and with its fills if `fills=true`.
         *
         *     Scopes: `orders:read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the history of an order
         * @description An addition to the contract. Everything that happened to the order, the money that you were told to book for it, and the deliveries of its webhooks. The order is named by its id, by its `executionRef` in upper or lower case, or, with `externalUserId`, by its `clientOrderId`.
         *
         *     Scopes: `orders:read`.
         */
        get: operations["getOrderHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/confirm-reserve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a reserve
         * @description Confirms that you reserved the money of a recorded order, so that it may be sent. A repeated call changes nothing.
         *
         *     Scopes: `orders:write`.
         */
        post: operations["confirmReserve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Cancels an order that was not sent to a venue. A repeated call returns the same cancellation.
         *
         *     Scopes: `orders:write`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List positions
         * @description Lists the positions of your customers, newest first.
         *
         *     Scopes: `positions:read`.
         */
        get: operations["listPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/positions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a position
         * @description Scopes: `positions:read`.
         */
        get: operations["getPosition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settlements
         * @description Lists the settlements, oldest first. Read until `hasMore` is false, and store `nextCursor`.
         *
         *     Scopes: `settlements:read`.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlements/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settled positions
         * @deprecated
         * @description Lists the settlements since a time.
         *
         *     Deprecated: use `GET /api/v1/settlements`.
         *
         *     Scopes: `settlements:read`.
         */
        get: operations["listSettledPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed
         * @description Lists every money fact, in one order. Read until `hasMore` is false, and store `nextCursor`.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["readReconciliationFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest checkpoint
         * @description Returns the newest signed checkpoint of the feed, which is at most 10 s behind the feed.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["getFeedCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation/log-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of the log
         * @description Lists the keys that have signed checkpoints of the feed. Each change is signed by the previous key and by the new one. The newest key signs now.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["listLogKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a proof
         * @description Returns, with `sequence`, a proof that an item is in the log. With `from`, it returns a proof that the log continues an earlier one.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["getFeedProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report
         * @description Returns the trial balance, the statements, and the findings of every check.
         *
         *     The report covers everything that was recorded when it was requested: it waits until the auditor has read that. Equal requests that wait share one run. An operator has one run at a time, and an aggregator and its children have one together. If a report cannot start within 10 s, or the auditor takes more than 30 s, it is refused with 503 `service_unavailable` and `Retry-After`.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["getReconciliationReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a register
         * @description Exports a whole register as CSV, JSON lines or JSON.
         *
         *     The body is streamed. The header `x-export` contains the exact window, the number of rows and their totals as JSON. `x-export-to` contains only the end of the window, and `x-export-columns` contains the columns and their types. A body with fewer rows is incomplete. An operator has one export at a time, and an aggregator and its children have one together; another one is refused with 503 `service_unavailable` and `Retry-After`. An export whose reader takes nothing for 30 s, or that runs for 30 min, is aborted.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["exportReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collateral": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your collateral
         * @description Returns the available and the committed collateral, and the last movements.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["getCollateral"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook events
         * @description An addition to the contract. Your events of the last 30 days, oldest first, whether or not an endpoint takes them. Each is the body of a delivery, byte for byte, except that `createdAt` is when the event was recorded. Read until `hasMore` is false, and keep `nextCursor`; a page may have fewer events than `limit` although more follow. A cursor that is older continues with the oldest event that is kept.
         *
         *     Scopes: `orders:read`, `settlements:read`.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your endpoints
         * @description An addition to the contract. The service operator registers and changes them.
         *
         *     Scopes: `orders:read`, `settlements:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description An addition to the contract. Newest first, each with its attempts. A page may have fewer deliveries than `limit` although more follow: read until `hasMore` is false.
         *
         *     Scopes: `orders:read`, `settlements:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description An addition to the contract. The delivery begins its schedule of retries again, whether it was delivered, given up or is still tried. The event keeps its `id` and `dedupeKey`.
         *
         *     Scopes: `orders:write`.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/funding/supported-assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test assets
         * @description Lists the assets that the test bridge accepts.
         *
         *     Scopes: `funding:write`.
         */
        get: operations["listSupportedAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/funding/deposit-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a test address
         * @description Creates an address for test deposits of one customer. No real funds can be sent there.
         *
         *     Scopes: `funding:write`.
         */
        post: operations["createDepositAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/funding/deposits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a test deposit
         * @description Returns a test deposit. Each read polls the bridge, unless `sync=false`. The second poll credits 1,000.00.
         *
         *     Scopes: `funding:write`.
         */
        get: operations["getDeposit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List armed scenarios
         * @description Lists the armed scenarios. `?disarm=` removes one first, but `DELETE` is the better way.
         *
         *     Scopes: `orders:read`.
         */
        get: operations["listScenarios"];
        put?: never;
        /**
         * Arm a scenario
         * @description Arms a partial fill for one order, or for the next order of this key. It applies once, within an hour.
         *
         *     Scopes: `orders:write`.
         */
        post: operations["armScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/scenarios/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disarm a scenario
         * @description Disarms a scenario, and returns the scenarios that are still armed.
         *
         *     Scopes: `orders:write`.
         */
        delete: operations["disarmScenario"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/resolutions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a position
         * @description Settles one open position as won, lost or void, and leaves its market alone.
         *
         *     Scopes: `settlements:read`.
         */
        post: operations["resolvePosition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a test wallet
         * @description Returns the simulated money of a customer: available, held and total.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallet movements
         * @description Lists the movements of a simulated wallet, newest first.
         *
         *     Scopes: `ledger:read`.
         */
        get: operations["listWalletEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your key
         * @description Returns the operator, the scopes and the rate limit of the key.
         */
        get: operations["whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "order.intent_recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A live order was recorded, and nothing was sent. Reserve the authorization and hold it.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receiveOrderIntentRecordedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.filled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was filled, in whole or in part. There is one event per fill. Book the difference between `operatorMoney` and the amounts that you applied before.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receiveOrderFilledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The order was refused, and nothing was filled.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receiveOrderRejectedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The money of an order is now final, and it was not final in the first response of the venue. Sent once per order.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receiveOrderCompletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order that was not sent was withdrawn.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receiveOrderCancelledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "position.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A position settled. The settlements register has the same fact.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receivePositionSettledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "market.resolution_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A resolution changed after positions had settled. The service moves no money by itself.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["receiveMarketResolutionChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Assets: {
            /** @description Supported assets. */
            assets: {
                /** @description Symbol of the asset, e.g. `USDC`. */
                symbol: string;
                /** @description Name of the asset. */
                name: string;
                /** @description Id of the chain. */
                chainId: number | string;
                /** @description Name of the chain. */
                chain: string;
                /** @description Decimal places of the asset. */
                decimals: number;
                /** @description Smallest deposit, as a decimal string. */
                minAmount: string;
            }[];
            /** @description Number of assets. */
            count: number;
        };
        Balance: {
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount that can be spent. Exact decimal string in US dollars. */
            available: string;
            /** @description Amount held by orders that are not final. Exact decimal string in US dollars. */
            held: string;
            /** @description Sum of available and held. Exact decimal string in US dollars. */
            total: string;
        };
        Cancellation: {
            /** @description Idempotency key of the release. The `orderId` identifies the same release. */
            cancellationId: string;
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount that was reserved. Exact decimal string in US dollars. */
            authorizationAmount: string;
            /** @description Always 0.00. Exact decimal string in US dollars. */
            actualDebit: string;
            /** @description Give this back. Exact decimal string in US dollars. */
            releaseAmount: string;
            /** @description True for a repeated call. */
            idempotentReplay?: boolean;
        };
        Category: {
            /**
             * @description Main category.
             * @enum {string}
             */
            category: "politics" | "sports" | "crypto" | "economics" | "finance" | "technology" | "science" | "culture" | "climate" | "world";
            /** @description Text for display. */
            label: string;
            /** @description Number of events offered. */
            eventCount: number;
        };
        CategoryList: {
            /** @description The records of this response. */
            data: components["schemas"]["Category"][];
            /** @description Number of all events offered. */
            totalEvents: number;
        };
        Collateral: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Free for orders and withdrawals. Exact decimal string in US dollars. */
            available: string;
            /** @description Committed to orders that are not final. Exact decimal string in US dollars. */
            committed: string;
            /** @description Sum of available and committed. Exact decimal string in US dollars. */
            total: string;
            /** @description The last movements, newest first. The feed has all of them. */
            movements: components["schemas"]["CollateralMovement"][];
        };
        CollateralMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount of the movement. Exact decimal string in US dollars. */
            amount: string;
            /** @description Free collateral after the movement. Exact decimal string in US dollars. */
            balanceAfter: string;
            /** @description Collateral that is committed to orders after the movement. Exact decimal string in US dollars. */
            committedAfter: string;
        };
        CollateralMoved: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "collateral.moved";
            money: components["schemas"]["CollateralMoney"];
            detail: components["schemas"]["CollateralMovedDetail"];
        };
        CollateralMovedDetail: {
            /**
             * @description Kind of the movement.
             * @enum {string}
             */
            kind: "deposit" | "withdrawal" | "commit" | "release" | "spend" | "return";
            /** @description Text for people. */
            memo: string;
            /** @description The ledger entry of the movement. */
            ledgerEntryId: string | null;
        };
        CollateralMovement: {
            /** @description Id of the `collateral.moved` item. */
            id: string;
            /** @description Number of that item in the feed. */
            sequence: number;
            /**
             * @description Kind of the movement.
             * @enum {string}
             */
            kind: "deposit" | "withdrawal" | "commit" | "release" | "spend" | "return";
            /** @description Amount that was moved. Exact decimal string in US dollars. */
            amount: string;
            /** @description Free collateral after the movement. Exact decimal string in US dollars. */
            availableAfter: string;
            /** @description Committed collateral after the movement. Exact decimal string in US dollars. */
            committedAfter: string;
            /** @description Text for people. */
            memo: string;
            /** @description Reference of a deposit or withdrawal; otherwise null. */
            reference: string | null;
            /** @description The operator's id of the customer; null for deposits and withdrawals. */
            externalUserId: string | null;
            /** @description The order that caused the movement; null if none did. */
            orderId: string | null;
            /** @description The position that caused the movement; null if none did. */
            positionId: string | null;
            /** @description The ledger entry of the movement. */
            ledgerEntryId: string;
            /**
             * Format: date-time
             * @description Time at which the movement was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
        };
        ContractBook: {
            /** @description Contract id. */
            contractId: string;
            /** @description Buyers of YES, best first. */
            bids: {
                /** @description Dollars per contract. */
                price: number;
                /** @description Contracts offered at this price. */
                contracts: number;
            }[];
            /** @description Sellers of YES, best first; a buy of NO meets the bids at 1 minus their price. */
            asks: {
                /** @description Dollars per contract. */
                price: number;
                /** @description Contracts offered at this price. */
                contracts: number;
            }[];
            /** @description Time at which the order book last changed; null if there is none. */
            updatedAt: string | null;
        };
        ContractNames: {
            /** @description The contracts that exist, in no particular order. Contracts that are no longer offered keep their names. */
            data: {
                /** @description Contract id. */
                id: string;
                /** @description Label of the outcome. */
                label: string;
                /** @description Id of its event. */
                eventId: string;
                /** @description Title of its event. */
                title: string;
            }[];
        };
        ContractTrades: {
            /** @description Contract id. */
            contractId: string;
            /** @description At most 20 trades, newest first, and only those since this process of the service started. */
            trades: {
                /**
                 * Format: date-time
                 * @description Time at which the market reported the trade.
                 */
                at: string;
                /** @description Price of the last trade in this report, in dollars per contract of YES. */
                price: number;
                /** @description Contracts traded since the previous report. */
                contracts: number;
            }[];
        };
        CustomerLimits: {
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description Limits that the operator set for this customer. */
            account: {
                /** @description Largest stake of one order, in cents; null for no limit. */
                maxWagerMinor: number | null;
                /** @description Largest sum of stakes in a period, in cents; null for no limit. */
                periodStakeMinor: number | null;
                /** @description Length of the period in hours. */
                periodHours: number | null;
                /** @description Note of the person who set it. */
                note: string | null;
            };
            /** @description The operator. */
            operator: {
                /** @description Largest stake of one order, in cents; null for no limit. */
                maxWagerMinor: number | null;
                /** @description Largest sum of stakes in a period, in cents; null for no limit. */
                periodStakeMinor: number | null;
                /** @description Length of the period in hours. */
                periodHours: number | null;
            };
            /** @description Limits that apply, with the level that set each one. */
            effective: {
                /** @description Largest stake of one order, in cents; null for no limit. */
                maxWagerMinor: number | null;
                /** @description Level that set the largest stake. */
                maxWagerRung: ("operator" | "account") | null;
                /** @description Limits by period that apply. */
                periods: {
                    /** @description Sum of stakes in cents. */
                    stakeMinor: number;
                    /** @description Length in hours. */
                    hours: number;
                    /**
                     * @description Level that set the limit.
                     * @enum {string}
                     */
                    rung: "operator" | "account";
                }[];
            };
        };
        Deposit: {
            /** @description Id of the deposit. */
            depositId: string;
            /**
             * @description State of the deposit.
             * @enum {string}
             */
            status: "awaiting" | "confirming" | "credited";
            /** @description Symbol of the asset, e.g. `USDC`. */
            symbol: string;
            /** @description Id of the chain. */
            chainId: number | string;
            /** @description Amount received in the asset, as a decimal string. */
            amount: string | null;
            /** @description Amount credited, or null. */
            creditedAmount: string | null;
            /** @description Address to which it was sent. */
            address: string;
            /**
             * Format: date-time
             * @description Time at which the address was created. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description Time of the credit, or null. */
            creditedAt: string | null;
        };
        DepositAddress: {
            /** @description Id of the deposit to watch. */
            depositId: string;
            /** @description Address for test funds. */
            address: string;
            /** @description Symbol of the asset, e.g. `USDC`. */
            symbol: string;
            /** @description Id of the chain. */
            chainId: number | string;
            /** @description Tag of the transfer, if the chain needs one. */
            memo: string | null;
            /**
             * Format: date-time
             * @description Time at which the address expires. ISO-8601, UTC.
             */
            expiresAt: string;
        };
        EmbedSession: {
            /** @description Id of the embed session. */
            sessionId: string;
            /** @description Time at which it expires. */
            expiresAt: string;
            /** @description Seconds until it expires. */
            expiresInSeconds: number;
            /** @description Id of the operator. */
            operatorId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description Origin of the page to which the session is bound, or null. */
            origin: string | null;
            /** @description Language: `en`, `es`, `pt` or `hr`. Any other value selects English. */
            locale: string | null;
            /** @description Region that decides how numbers and dates are written. */
            region: ("global" | "ar" | "br" | "mx" | "cl" | "co" | "pe" | "us" | "eu" | "hr") | null;
            /** @description Place of the customer. */
            jurisdiction: {
                /** @description Two letters, as ISO 3166-1 assigns them. */
                country: string;
                /** @description Part of an ISO 3166-2 code after the hyphen, one to three letters or digits; null if not stated. */
                subdivision: string | null;
            } | null;
            /** @description Presentation of the frame: mode, accent, radius, density. */
            theme: {
                [key: string]: string | number | boolean;
            };
            /** @description Requests of this session in the current minute. */
            usage: {
                /** @description Requests counted so far. */
                requests: number;
                /** @description Largest number of records to return. */
                limit: number;
                /** @description Time at which the count starts again. */
                resetsAt: string;
            };
            /** @description Named list of offered events; absent if all are offered. */
            operatorBookId?: string;
            /** @description The token of the session, shown only once. */
            token: string;
            /**
             * @description Kind of token.
             * @constant
             */
            tokenType: "embed_session";
        };
        /** @description Branch on `error`, because `message` is text for people. Some codes add fields, and later versions may add more. */
        Error: {
            /** @description Code of the refusal. Each operation lists the codes that it may return. */
            error: string;
            /** @description Text for people. Never branch on it. */
            message: string;
            /** @description The largest stake that would be accepted, in dollars, for display. Present if a limit, a ceiling or the depth of the book refused the stake. */
            maxStake?: number;
            /** @description Id of the order that used the quote, or that has your `clientOrderId`. */
            orderId?: string;
            /** @description Support reference of that order. */
            executionRef?: string;
            /**
             * @description Of a refused cancellation: the reason why the order cannot be withdrawn.
             * @enum {string}
             */
            transmissionState?: "not_transmitted" | "unknown" | "resolved";
            /** @description `jurisdiction` if the place of the customer is the reason for `market_not_offered`. */
            reason?: string;
            /** @description Of `over_tenant_exposure`: the cap of the account that the order would exceed. */
            cap?: string;
            /** @description The scopes that the route needs. */
            required?: string[];
            /** @description The scopes of `required` that the key does not have. */
            missing?: string[];
            /** @description Seconds to wait before a retry; the same number as in the header `Retry-After`. */
            retryAfterSeconds?: number;
            /** @description The invalid fields. */
            detail?: {
                /** @description Path of the field, with dots. */
                path: string;
                /** @description Description of the mistake. */
                message?: string;
            }[];
            /** @description Of `invalid_type`: the types that exist. */
            supported?: string[];
            /** @description Of `invalid_sport`: the sports that the operator is offered. */
            sports?: string[];
            /** @description Number of items in the newest checkpoint. */
            size?: number;
            /** @description Of `cursor_ahead`: the number of the last item. */
            lastSequence?: number;
            /** @description Of `cursor_ahead`: number that rises each time the service is restored to an earlier point. */
            epoch?: number;
        };
        Event: {
            /** @description Id of this record; in a path, id of the record that is meant. */
            id: string;
            /** @description Readable name in addresses. */
            slug: string;
            /** @description Title in the requested language. */
            title: string;
            /** @description The original title, if it was translated */
            sourceTitle?: string;
            /** @description Addition to the title, or null. */
            subtitle: string | null;
            /**
             * @description Main category.
             * @enum {string}
             */
            category: "politics" | "sports" | "crypto" | "economics" | "finance" | "technology" | "science" | "culture" | "climate" | "world";
            /** @description Every category of the event, its main one included */
            categories: ("politics" | "sports" | "crypto" | "economics" | "finance" | "technology" | "science" | "culture" | "climate" | "world")[];
            /** @description Sport, on sports events. */
            sport: string | null;
            /** @description League, on sports events. */
            league: string | null;
            /** @description `game` or `future` on a sports event; null otherwise. */
            eventType: ("game" | "future") | null;
            /** @description Score and period of a match in play; null otherwise. */
            liveMatch: components["schemas"]["LiveMatch"] | null;
            /** @description Path of the picture, without the host */
            imageUrl: string;
            /**
             * @description Shape of the event: which outcomes exclude each other.
             * @enum {string}
             */
            kind: "binary" | "mutually_exclusive" | "cumulative_ladder" | "ambiguous";
            /** @description Number of outcomes. */
            outcomeCount: number;
            /** @description Level that the prices of a ladder imply, or null. */
            impliedLevel: number | null;
            /** @description The implied level with its unit, or null. */
            impliedLevelLabel: string | null;
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            closesAt: string;
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            opensAt: string;
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            updatedAt: string;
            /** @description Contracts traded at the venue, not dollars */
            volume: number;
            /** @description Contracts traded at the venue, not dollars */
            volume24h: number;
            /** @description Contracts traded at the venue, not dollars */
            volumeContracts: number;
            /** @description Contracts traded at the venue, not dollars */
            volume24hContracts: number;
            /**
             * @description State of this record.
             * @enum {string}
             */
            status: "open" | "closed" | "paused" | "resolved" | "voided";
            /** @description Tradeable contracts of the event. */
            outcomes: components["schemas"]["Outcome"][];
            /** @description Present only in a list that is ranked by activity */
            trending?: components["schemas"]["Trending"];
            /** @description Rules of the event; null if no rules are published. Present only on a single event */
            rules?: components["schemas"]["EventRules"] | null;
        };
        EventDetail: {
            data: components["schemas"]["Event"];
        };
        EventList: {
            /** @description The records of this response. */
            data: components["schemas"]["Event"][];
            /** @description Position of this page in the list. */
            pagination: {
                /** @description Largest number of records to return. */
                limit: number;
                /** @description Number of all events that match the filter */
                total: number;
                /** @description Cursor of the next page; null at the end. */
                nextCursor: string | null;
                /** @description Whether there is another page. */
                hasMore: boolean;
            };
            /** @description Place of the customer. */
            jurisdiction?: {
                /**
                 * @description Whether the restriction is enforced.
                 * @constant
                 */
                enforced: true;
                /** @description Text for people. */
                message: string;
            };
        };
        EventRules: {
            /** @description The rules of the result in English; null if each outcome has its own text */
            text: string | null;
            /** @description Name of the source from which the result is read */
            source: string | null;
            /** @description Address of the source; `http` or `https` */
            sourceUrl: string | null;
            /** @description Expected time of the last result; null if unknown */
            resolvesAt: string | null;
            /** @description The text of each outcome; empty if `text` applies to all of them */
            outcomes: {
                /** @description Id of this record; in a path, id of the record that is meant. */
                id: string;
                /** @description The rule in words. */
                text: string;
            }[];
        };
        FeeAssessed: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "fee.assessed";
            money: components["schemas"]["MovementMoney"];
            detail: components["schemas"]["FeeAssessedDetail"];
        };
        FeeAssessedDetail: {
            /**
             * @description Receiver of the fee.
             * @enum {string}
             */
            kind: "platform" | "venue";
            /** @description Rate in basis points; null if there is none. */
            bps: number | null;
            /** @description Change of the profit of a position whose contracts are all sold, because a venue fee became known later. Exact decimal string in US dollars. */
            realisedPnl?: string;
        };
        FeedCheckpoint: {
            /** @description `inlay/<operatorId>`. */
            origin: string;
            /** @description Number of the newest item that the checkpoint covers. */
            size: number;
            /** @description Root of the Merkle tree over the items 1 to `size` (RFC 6962). SHA-256, base64. */
            root: string;
            /** @description The signed note: C2SP tlog-checkpoint, Ed25519. */
            checkpoint: string;
            /** @description Verifier key of the signer in the form of C2SP signed-note. Keep your own copy of it. */
            verifierKey: string;
            /**
             * Format: date-time
             * @description Time at which the checkpoint was signed. ISO-8601, UTC.
             */
            signedAt: string;
        };
        FeedItem: components["schemas"]["OrderStateChanged"] | components["schemas"]["OrderFilled"] | components["schemas"]["FeeAssessed"] | components["schemas"]["CollateralMoved"] | components["schemas"]["LedgerPosted"] | components["schemas"]["PositionExited"] | components["schemas"]["PositionSettled"] | components["schemas"]["WebhookEmitted"];
        FeedPage: {
            /** @description In order of `sequence`. */
            items: components["schemas"]["FeedItem"][];
            /** @description Cursor that continues after this page, also at the end. Use `hasMore` to know when to stop. */
            nextCursor: string;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        FeedProof: {
            /** @description `inlay/<operatorId>`. */
            origin: string;
            /**
             * @description Kind of the proof.
             * @enum {string}
             */
            kind: "inclusion" | "consistency";
            /** @description Of an inclusion proof: the number of the item, which is its leaf index plus one. */
            sequence?: number;
            /** @description Inclusion: hash of the leaf, which is the item in RFC 8785 form without `cursor`. SHA-256, base64. */
            leafHash?: string;
            /** @description Of a consistency proof: the size of the smaller log. */
            from?: number;
            /** @description Consistency: root of the smaller log. SHA-256, base64. */
            fromRoot?: string;
            /** @description Size of the log. */
            size: number;
            /** @description Root of the log of that size. SHA-256, base64. */
            root: string;
            /** @description The hashes of the proof in the order of RFC 6962, 2.1.1 or 2.1.2. */
            proof: string[];
        };
        Fill: {
            /** @description Id of the fill. */
            fillId: string;
            /** @description Size of this fill. In contracts, with up to six decimal places. */
            quantity: number;
            /** @description Price of this fill. Dollars per contract, 0 to 1. */
            price: number;
            /**
             * Format: date-time
             * @description Time of the fill. ISO-8601, UTC.
             */
            filledAt: string;
        };
        /** @description Details of this fill only. Book from `operatorMoney`. */
        FillMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount spent on, or received for, the contracts of this fill. Exact decimal string in US dollars. */
            tradeAmount: string;
            /** @description The platform's fee on this fill. Exact decimal string in US dollars. */
            platformFee: string;
            /** @description Fee that the venue took on this fill. Exact decimal string in US dollars. */
            venueFee: string;
            /** @description Whether the fee of the venue is known. While it is false, `venueFee` does not include it. */
            venueFeeKnown: boolean;
            /** @description Amount to take from the customer; null for a sell. */
            actualDebit: string | null;
            /** @description Amount to credit for a sell, net of fees; null for a buy. */
            sellProceeds: string | null;
        };
        Finding: {
            /**
             * @description Name of the check.
             * @enum {string}
             */
            check: "trial_balance" | "account_balance" | "order_terms" | "order_money" | "order_fills" | "position_quantity" | "position_cost" | "position_holdings" | "settlement_once" | "settlement_due" | "settlement_amount" | "wallet_balance" | "exposure" | "period_window" | "closed_period" | "collateral_statement" | "cash_statement" | "orphan_hold" | "order_unresolved" | "venue_agreement" | "venue_evidence" | "webhook_due" | "webhook_stuck" | "feed_gap" | "log_behind";
            /**
             * @description A `critical` finding needs a person.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            /** @description Text for people about what was found. */
            detail: string;
            /**
             * @description Kind of `subjectId`: `user` is the operator's id of a customer, and `record` is an id of the service.
             * @enum {string}
             */
            subjectType: "user" | "record";
            /** @description Id of the subject of the finding. */
            subjectId: string;
        };
        /** @description Age of the price. */
        Freshness: {
            /**
             * @description Class of the age: `live` up to 5 s, `recent` up to 30 s, `aged` up to 120 s.
             * @enum {string}
             */
            level: "live" | "recent" | "aged";
            /** @description Seconds since the price was last confirmed. */
            ageSeconds: number;
            /**
             * @description Kind of connection over which the price arrived.
             * @enum {string}
             */
            feed: "websocket" | "rest";
        };
        JurisdictionAssertion: {
            /** @description The operator's own id of the customer. */
            userId: string;
            /** @description Place of the customer. */
            jurisdiction: {
                /** @description Two letters, as ISO 3166-1 assigns them. */
                country: string;
                /** @description Part of an ISO 3166-2 code after the hyphen, one to three letters or digits; null if not stated. */
                subdivision: string | null;
            } | null;
            /** @description Time at which the operator stated it. */
            assertedAt: string | null;
            /** @description Channel through which the operator stated it. */
            assertedSource: ("api" | "embed_session") | null;
            /** @description Country seen by a trusted proxy, or null. */
            observedCountry: string | null;
            /** @description Time at which the country was observed. */
            observedAt: string | null;
            /** @description Whether the stated and the observed country differ. */
            mismatch: boolean | null;
        };
        LedgerLine: {
            /** @description The account. */
            accountId: string;
            /** @description Amount debited. Exact decimal string in US dollars. */
            debit: string;
            /** @description Amount credited. Exact decimal string in US dollars. */
            credit: string;
        };
        LedgerMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount of the movement. Exact decimal string in US dollars. */
            amount: string;
            /** @description Postings of the ledger entry. */
            lines: components["schemas"]["LedgerLine"][];
        };
        LedgerPosted: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description Always null. */
            positionId: null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "ledger.posted";
            money: components["schemas"]["LedgerMoney"];
            detail: components["schemas"]["LedgerPostedDetail"];
        };
        LedgerPostedDetail: {
            /** @description Kind of the movement. */
            movementType: string;
            /** @description Text for people. */
            memo: string;
            /** @description Kind of the record that caused the entry. */
            referenceType: string;
            /** @description Id of the record that caused the entry. */
            referenceId: string;
            /** @description Always null: no entry corrects another. */
            correctsEntryId: string | null;
            /**
             * Format: date-time
             * @description Effective date of the entry, if it is not `occurredAt`. ISO-8601, UTC.
             */
            effectiveAt?: string;
        };
        LiveMatch: {
            /** @description Score of the home side. */
            homeScore: number | null;
            /** @description Score of the away side. */
            awayScore: number | null;
            /** @description Period of the match, such as `Q3`. */
            period: string | null;
            /** @description Clock of the match. */
            clock: string | null;
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            observedAt: string;
        };
        LogKey: {
            /** @description Number of items in the log when the key came into use. It signs checkpoints of more items. */
            size: number;
            /** @description The previous verifier key; null if it was lost and could not sign. */
            previousKey: string | null;
            /** @description The new verifier key. */
            verifierKey: string;
            /** @description Whether the previous key was replaced because others may have it. */
            compromised: boolean;
            /** @description The signed note that names the new key, with the signatures of both keys. */
            note: string;
        };
        LogKeys: {
            /** @description `inlay/<operatorId>`. */
            origin: string;
            /** @description Every change of the key, in order; empty while the log has its first key. */
            keys: components["schemas"]["LogKey"][];
        };
        MarketResolutionChangedEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "market.resolution_changed";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["MarketResolutionChangedEventData"];
        };
        /** @description A resolution changed after positions had settled. The service moves no money by itself. */
        MarketResolutionChangedEventData: {
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Resolution on which positions were paid.
             * @enum {string}
             */
            settledResolution: "YES" | "NO" | "VOID" | "SPLIT";
            /** @description Current resolution; null if it was withdrawn. */
            currentResolution: ("YES" | "NO" | "VOID" | "SPLIT") | null;
            /** @description Positions that were paid by the earlier resolution. */
            affectedPositionIds?: string[];
            /** @description The first of the affected positions. */
            affectedPositionId: string;
            /**
             * @description Always `operator_review_required`. A person decides what follows.
             * @constant
             */
            action: "operator_review_required";
        };
        MovementMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount of the movement. Exact decimal string in US dollars. */
            amount: string;
        };
        /** @description What to do in your own ledger for a sell. An exit never debits. */
        OperatorExitMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Credit this. Both fees are already taken off. Exact decimal string in US dollars. */
            sellProceeds: string;
            /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
            platformFee: string;
            /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
            venueFee: string;
            /** @description Whether the fee of the venue is known. While it is false, `venueFee` is a placeholder. */
            venueFeeKnown: boolean;
        };
        /** @description What to do in your own ledger for a buy. Apply it as given, and never recompute it. */
        OperatorMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Reserve this before the order. Exact decimal string in US dollars. */
            authorizationAmount: string;
            /** @description Take this once the fill is known: trade amount, platform fee and venue fee. Exact decimal string in US dollars. */
            actualDebit: string;
            /** @description Give this back: the authorization less the debit. Exact decimal string in US dollars. */
            releaseAmount: string;
            /** @description Amount spent on contracts. Exact decimal string in US dollars. */
            tradeAmount: string;
            /** @description The platform's fee. Exact decimal string in US dollars. */
            platformFee: string;
            /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
            venueFee: string;
            /** @description Whether the fee of the venue is known. While it is false, `venueFee` is a placeholder. */
            venueFeeKnown: boolean;
        };
        Order: {
            /** @description Id of the order. */
            orderId: string;
            /** @description The operator's own id of the order, which is the idempotency key. */
            clientOrderId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /**
             * @description The state of the order.
             * @enum {string}
             */
            status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /** @description Quantity filled so far. In contracts, with up to six decimal places. */
            filledQuantity: number;
            /** @description Volume-weighted price, for display. */
            averagePrice: number | null;
            /** @description The platform's fee in dollars. For display, never booked. */
            platformFee: number;
            /** @description Fee rate of the quote, in basis points. */
            platformFeeBps: number;
            /** @description Filled trade amount of a buy, notional of a sell. For display, never booked. */
            notional: number;
            /** @description Dollars, for display. */
            stake: number | null;
            /** @description Code of the refusal; null unless `status` is `rejected`. */
            rejectReason: string | null;
            /** @description Reason of the cancellation: the code for which the service withdrew the order, `operator_request` after a cancel call, or `closed_unfilled` if the venue closed it. Null unless `status` is `cancelled`. */
            cancelReason: string | null;
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
            /**
             * Format: date-time
             * @description Time at which the order was accepted. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description Whether this response repeats an order that already existed. */
            idempotentReplay: boolean;
            routing: components["schemas"]["OrderRouting"];
            /**
             * @description State of the money: `settled` once it is final.
             * @enum {string}
             */
            settlementState: "settled" | "pending";
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /** @description Money of a buy; null for a sell. */
            operatorMoney: components["schemas"]["OperatorMoney"] | null;
            /** @description Money of the fills of a sell whose venue fee is known; null for a buy. */
            operatorExitMoney: components["schemas"]["OperatorExitMoney"] | null;
        };
        OrderCancelledEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.cancelled";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["OrderCancelledEventData"];
        };
        /** @description An order that was not sent was withdrawn. */
        OrderCancelledEventData: {
            /** @description Id of the order. */
            orderId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The operator's id of the order. */
            clientOrderId: string;
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /** @description Idempotency key of the release. The `orderId` identifies the same release. */
            cancellationId: string;
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Amount that was held; 0.00 for a sell. Exact decimal string in US dollars. */
            authorizationAmount: string;
            /**
             * @description Amount to take from the customer; null for a sell.
             * @constant
             */
            actualDebit: "0.00";
            /** @description Give this back. Exact decimal string in US dollars. */
            releaseAmount: string;
            /** @description Reason in words, for people. */
            reason: string | null;
            /** @description Whether anything was sent to a venue. */
            transmitted: boolean;
        };
        OrderCompletedEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.completed";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["OrderCompletedEventData"];
        };
        /** @description The money of an order is now final, and it was not final in the first response of the venue. Sent once per order. */
        OrderCompletedEventData: {
            /** @description Id of the order. */
            orderId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The operator's id of the order. */
            clientOrderId: string;
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /**
             * @description State of the order.
             * @enum {string}
             */
            status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
            /**
             * @description How much of the order was filled.
             * @enum {string}
             */
            outcome: "complete" | "closed_partial" | "closed_unfilled";
            /** @description Quantity filled in the end. In contracts, with up to six decimal places. */
            filledQuantity: number;
            /** @description Volume-weighted price, for display. */
            averagePrice: number | null;
            /** @description Number of fills. */
            fillCount: number;
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /**
             * @description Always true. No event of this order follows.
             * @constant
             */
            final: true;
            /** @description Whether a part of the order did not fill. */
            partial: boolean;
            /** @description Money of the whole order so far; null for a sell. */
            operatorMoney: components["schemas"]["OperatorMoney"] | null;
            /** @description Money of the fills so far whose venue fee is known. It only grows. Null for a buy. */
            operatorExitMoney: components["schemas"]["OperatorExitMoney"] | null;
            /** @description Give this back. Exact decimal string in US dollars. */
            releaseAmount: string;
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
        };
        OrderDetail: {
            /** @description Id of the order. */
            orderId: string;
            /** @description The operator's own id of the order, which is the idempotency key. */
            clientOrderId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /**
             * @description The state of the order.
             * @enum {string}
             */
            status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /** @description Quantity filled so far. In contracts, with up to six decimal places. */
            filledQuantity: number;
            /** @description Volume-weighted price, for display. */
            averagePrice: number | null;
            /** @description The platform's fee in dollars. For display, never booked. */
            platformFee: number;
            /** @description Fee rate of the quote, in basis points. */
            platformFeeBps: number;
            /** @description Filled trade amount of a buy, notional of a sell. For display, never booked. */
            notional: number;
            /** @description Dollars, for display. */
            stake: number | null;
            /** @description Code of the refusal; null unless `status` is `rejected`. */
            rejectReason: string | null;
            /** @description Reason of the cancellation: the code for which the service withdrew the order, `operator_request` after a cancel call, or `closed_unfilled` if the venue closed it. Null unless `status` is `cancelled`. */
            cancelReason: string | null;
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
            /**
             * Format: date-time
             * @description Time at which the order was accepted. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description Whether this response repeats an order that already existed. */
            idempotentReplay: boolean;
            routing: components["schemas"]["OrderRouting"];
            /**
             * @description State of the money: `settled` once it is final.
             * @enum {string}
             */
            settlementState: "settled" | "pending";
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /** @description Money of a buy; null for a sell. */
            operatorMoney: components["schemas"]["OperatorMoney"] | null;
            /** @description Money of the fills of a sell whose venue fee is known; null for a buy. */
            operatorExitMoney: components["schemas"]["OperatorExitMoney"] | null;
            /** @description Present if one order is read, or looked up by `clientOrderId`. */
            intent?: components["schemas"]["OrderIntent"];
            /** @description Present only with `?fills=true`. */
            fills?: components["schemas"]["Fill"][];
        };
        OrderFilled: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.filled";
            /** @description Always null: the money of an order is in `order.state_changed`. */
            money: null;
            detail: components["schemas"]["OrderFilledDetail"];
        };
        OrderFilledDetail: {
            /** @description Size of this fill. In contracts, with up to six decimal places. */
            quantity: number;
            /** @description Price of this fill. Dollars per contract, 0 to 1. */
            price: number;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /** @description Support reference of the order. */
            executionRef: string;
        };
        OrderFilledEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.filled";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["OrderFilledEventData"];
        };
        /** @description An order was filled, in whole or in part. There is one event per fill. Book the difference between `operatorMoney` and the amounts that you applied before. */
        OrderFilledEventData: {
            /** @description Id of the order. */
            orderId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The operator's id of the order. */
            clientOrderId: string;
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /** @description Id of the fill. */
            fillId: string;
            /** @description Size of this fill. In contracts, with up to six decimal places. */
            fillQuantity: number;
            /** @description Price of this fill. Dollars per contract, 0 to 1. */
            fillPrice: number;
            /** @description Quantity of the order so far. In contracts, with up to six decimal places. */
            filledQuantity: number;
            /** @description Average price of the order so far. Dollars per contract, 0 to 1. */
            averagePrice: number;
            /**
             * @description State of the order.
             * @enum {string}
             */
            status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /** @description Money of the whole order so far; null for a sell. */
            operatorMoney: components["schemas"]["OperatorMoney"] | null;
            /** @description Money of the fills so far whose venue fee is known. It only grows. Null for a buy. */
            operatorExitMoney: components["schemas"]["OperatorExitMoney"] | null;
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
            /** @description Number of the fill in the order: 1, 2 and so on. Store the highest number that you applied, and ignore a lower one. */
            fillSequence?: number;
            /** @description Whether a part of the order did not fill. */
            partial?: boolean;
            /** @description True exactly when `transmissionState` is `resolved`. */
            final?: boolean;
            fillMoney?: components["schemas"]["FillMoney"];
        };
        OrderHistory: {
            /** @description The order, with its intent and its fills. */
            order: components["schemas"]["OrderDetail"];
            /** @description State of the customer's money, in a sentence for the customer. */
            sentence: string;
            /** @description Events, oldest first. */
            timeline: components["schemas"]["OrderHistoryEvent"][];
            /** @description Bookings that your own ledger should have for the order, one for each type and key. */
            instructions: components["schemas"]["OrderInstruction"][];
            /** @description Deliveries of its events and of the settlement of its position, oldest first. */
            webhooks: components["schemas"]["WebhookDelivery"][];
        };
        OrderHistoryEvent: {
            /**
             * Format: date-time
             * @description Time of the event. ISO-8601, UTC.
             */
            at: string;
            /** @description Type of the feed item, or one of `quote.issued`, `reserve.confirmed`, `transmission.sent`, `transmission.answered`, `venue.evidence` and `webhook.attempted`. */
            type: string;
            /** @description The event in words, for people. */
            text: string;
            /** @description Money of the feed item, as in the feed. Absent if the item has none. */
            money?: components["schemas"]["OperatorMoney"] | components["schemas"]["OperatorExitMoney"] | components["schemas"]["SettlementMoney"] | components["schemas"]["CollateralMoney"] | components["schemas"]["LedgerMoney"] | components["schemas"]["MovementMoney"];
        };
        OrderInstruction: {
            /**
             * Format: date-time
             * @description Time at which the operator was first told this amount. ISO-8601, UTC.
             */
            at: string;
            /**
             * @description Kind of booking in your own ledger.
             * @enum {string}
             */
            type: "hold" | "debit" | "release" | "credit";
            /** @description Total amount that was told so far. Exact decimal string in US dollars. */
            amount: string;
            /** @description Key under which to book it once: the `orderId`, or the `stl_` id of the settlement of the whole position. */
            key: string;
        };
        /** @description The confirmation of the reserve and, after the order was withdrawn, the instruction for the release. */
        OrderIntent: {
            /**
             * Format: date-time
             * @description Time at which the order was recorded. ISO-8601, UTC.
             */
            recordedAt: string;
            /** @description Time at which the operator confirmed its reserve; null before. */
            reserveConfirmedAt: string | null;
            /** @description The operator's reference of its reserve. */
            reserveReference: string | null;
            /** @description Id of the cancellation; null if the order was not withdrawn. */
            cancellationId: string | null;
            /** @description Amount to give back. */
            releaseAmount: string | null;
            /** @description Time at which the order was withdrawn; null if it was not. */
            cancelledAt: string | null;
            /** @description The same as `cancelReason`. */
            reason: string | null;
        };
        OrderIntentRecordedEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.intent_recorded";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["OrderIntentRecordedEventData"];
        };
        /** @description A live order was recorded, and nothing was sent. Reserve the authorization and hold it. */
        OrderIntentRecordedEventData: {
            /** @description Id of the order. */
            orderId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The operator's id of the order. */
            clientOrderId: string;
            /** @description Reserve and hold this. Exact decimal string in US dollars. */
            authorizationAmount: string;
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /**
             * @description Whether anything was sent to a venue.
             * @constant
             */
            transmitted: false;
        };
        OrderPage: {
            /** @description Orders, newest first. `intent` is present only in a look-up by `clientOrderId`. */
            orders: components["schemas"]["OrderDetail"][];
            /** @description Items on this page. */
            count: number;
            /** @description Cursor of the next page; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        OrderRejectedEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.rejected";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["OrderRejectedEventData"];
        };
        /** @description The order was refused, and nothing was filled. */
        OrderRejectedEventData: {
            /** @description Id of the order. */
            orderId: string;
            /** @description Stable support reference. */
            executionRef: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The operator's id of the order. */
            clientOrderId: string;
            /** @description Reason in words, for people. */
            reason: string;
            /** @description Money with the whole authorization as `releaseAmount`; null for a sell. */
            operatorMoney: components["schemas"]["OperatorMoney"] | null;
        };
        OrderRouting: {
            /**
             * @description Reason for the choice of the order book.
             * @enum {string}
             */
            reason: "single_venue" | "best_price" | "unverified_group";
            /** @description Number of order books that were considered. */
            consideredVenues: number;
        };
        OrderStateChanged: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.state_changed";
            /** @description Money of the buy after the change; null for a sell. */
            money: components["schemas"]["OperatorMoney"] | null;
            detail: components["schemas"]["OrderStateChangedDetail"];
        };
        OrderStateChangedDetail: {
            /** @description The state before; null for a new order. */
            fromState: ("reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending") | null;
            /**
             * @description The state after; the same as before if only the money or the transmission changed.
             * @enum {string}
             */
            toState: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
            /** @description Reason of the change, if there is one. `rest_below_venue_step`: a sell left fewer contracts than the venue trades, and they stay in the position. */
            reason: string | null;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /**
             * @description Status of the order after the change.
             * @enum {string}
             */
            orderStatus: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
            /** @description Support reference of the order. */
            executionRef: string;
            /**
             * @description `money` is final exactly when this is `settled`. Book it then, and book nothing before.
             * @enum {string}
             */
            settlementState: "settled" | "pending";
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /** @description The operator's id of the order. */
            clientOrderId: string;
            /** @description The `ctr_` id. */
            contractId: string;
        };
        Outcome: {
            /** @description Id of this record; in a path, id of the record that is meant. */
            id: string;
            /** @description Text for display. */
            label: string;
            /** @description The original label, if it was translated */
            sourceLabel?: string;
            /** @description Crest of the team, or null. */
            teamLogoUrl: string | null;
            /** @description Colour of the team as `#rrggbb`, or null. */
            teamColor: string | null;
            /** @description Colours of the team, or null. */
            teamMarks: string[] | null;
            /** @description Short name of the team, or null. */
            teamAbbr: string | null;
            /** @description Reference price, 0 to 1. After the decision it is the value of a YES contract, or null after VOID */
            probability: number | null;
            /** @description Reference price in cents, not rounded */
            yesCents: number | null;
            /** @description Reference price in cents, not rounded */
            noCents: number | null;
            /** @description Price of a buy of YES; if it is null, show no price */
            executableYesCents: number | null;
            /** @description Price of a buy of NO; if it is null, show no price */
            executableNoCents: number | null;
            /** @description True exactly if at least one executable price is not null */
            tradable: boolean;
            /** @description Whether trading has stopped, independent of the status. */
            tradingClosed: boolean;
            /** @description Word for the YES side; null if it is "Yes". */
            yesLabel: string | null;
            /** @description Word for the NO side; null if it is "No". */
            noLabel: string | null;
            /** @description Kind of sports contract, such as `moneyline`; null otherwise. */
            sportsMarketType: string | null;
            /** @description Ask less bid in cents; null if one of them is missing. */
            spreadCents: number | null;
            /**
             * @description Source of the reference price.
             * @enum {string}
             */
            priceBasis: "midpoint" | "last" | "source" | "none";
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            priceUpdatedAt: string;
            /**
             * @description Kind of connection over which the price arrived.
             * @enum {string}
             */
            priceFeed: "websocket" | "rest";
            /**
             * @description State of this record.
             * @enum {string}
             */
            status: "open" | "closed" | "paused" | "resolved" | "voided";
            /**
             * @description Result of the outcome; absent while it is open
             * @enum {string}
             */
            resolution?: "YES" | "NO" | "VOID" | "SPLIT";
            /** @description Parsed strike, or null. */
            threshold: number | null;
            /** @description Side of the strike on which YES wins; null if unknown. */
            direction: ("above" | "below") | null;
            /** @description Contracts traded at the venue, not dollars */
            volume24h: number;
            /** @description Contracts traded at the venue, not dollars */
            volume24hContracts: number;
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            closesAt: string;
        };
        Position: {
            /** @description Id of the position. */
            positionId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description State of the position. `closed`: everything was sold.
             * @enum {string}
             */
            status: "open" | "closed" | "settled";
            /** @description Quantity still held. In contracts, with up to six decimal places. */
            quantity: number;
            /** @description Volume-weighted average price of the buys, without fees. Dollars per contract, 0 to 1. */
            averagePrice: number;
            /**
             * Format: date-time
             * @description Time of the first fill. ISO-8601, UTC.
             */
            openedAt: string;
            /**
             * Format: date-time
             * @description Time of the last change. ISO-8601, UTC.
             */
            updatedAt: string;
            operatorMoney: components["schemas"]["PositionMoney"];
        };
        PositionExited: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "position.exited";
            money: components["schemas"]["OperatorExitMoney"];
            detail: components["schemas"]["PositionExitedDetail"];
        };
        PositionExitedDetail: {
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /** @description Quantity sold. In contracts, with up to six decimal places. */
            quantity: number;
            /** @description Quantity still held. In contracts, with up to six decimal places. */
            quantityRemaining: number;
            /** @description Price of the exit. Dollars per contract, 0 to 1. */
            exitPrice: number;
            /** @description Average price of the buys. Dollars per contract, 0 to 1. */
            entryPrice: number;
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
            /** @description Whether the venue reports the same; null if it is not known. */
            venueAgrees: boolean | null;
            /** @description Whether the fee of the venue is known. */
            venueFeeKnown: boolean;
            /** @description Cost of the contracts that were sold, fees included. Exact decimal string in US dollars. */
            costBasis: string;
            /** @description Part of that cost that was fees. Exact decimal string in US dollars. */
            entryFeeShare: string;
            /** @description Proceeds less that cost. Exact decimal string in US dollars. */
            realisedPnl: string;
            /** @description Support reference of the order. */
            executionRef: string;
            /** @description The `ctr_` id. */
            contractId: string;
        };
        PositionMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Cost of the contracts that are still held, fees included. Exact decimal string in US dollars. */
            costBasis: string;
            /** @description Profit of the contracts that were sold or settled. Exact decimal string in US dollars. */
            realisedPnl: string;
        };
        PositionPage: {
            /** @description Positions, newest first. */
            positions: components["schemas"]["Position"][];
            /** @description Items on this page. */
            count: number;
            /** @description Cursor of the next page; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        PositionSettled: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "position.settled";
            money: components["schemas"]["SettlementMoney"];
            detail: components["schemas"]["PositionSettledDetail"];
        };
        PositionSettledDetail: {
            /**
             * @description Resolution of the contract.
             * @enum {string}
             */
            resolution: "YES" | "NO" | "VOID" | "SPLIT";
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /** @description Quantity settled. In contracts, with up to six decimal places. */
            contracts: number;
            /** @description Profit of this settlement. Exact decimal string in US dollars. */
            realisedPnl: string;
            /** @description Profit of the position so far. Exact decimal string in US dollars. */
            lifetimeRealisedPnl: string;
            /**
             * @description Result of the position.
             * @enum {string}
             */
            outcome: "won" | "lost" | "void";
            /** @description The `ctr_` id. */
            contractId: string;
        };
        PositionSettledEvent: {
            /** @description Id of the event. It is the same in each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "position.settled";
            /** @description Deduplication key, one per fact. Compare it as a whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description Time of this attempt, not of the fact. In `GET /webhook-events`, the time at which the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            data: components["schemas"]["PositionSettledEventData"];
        };
        /** @description A position settled. The settlements register has the same fact. */
        PositionSettledEventData: {
            /** @description Id of the position. */
            positionId: string;
            /** @description Idempotency key of the credit. */
            settlementId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description How the contract was resolved.
             * @enum {string}
             */
            resolution: "YES" | "NO" | "VOID" | "SPLIT";
            /**
             * @description How the settlement ended for the position.
             * @enum {string}
             */
            outcome: "won" | "lost" | "void";
            /** @description Quantity settled. In contracts, with up to six decimal places. */
            contracts: number;
            /** @description Cost of the settled contracts, fees included. Exact decimal string in US dollars. */
            costBasis: string;
            /** @description Fees in the cost basis. Exact decimal string in US dollars. */
            entryFees: string;
            /** @description Payout of the settlement. Exact decimal string in US dollars. */
            payout: string;
            /** @description Profit of this settlement. Exact decimal string in US dollars. */
            realisedPnl: string;
            /** @description Profit of the position since it opened. Exact decimal string in US dollars. */
            lifetimeRealisedPnl: string;
            operatorMoney: components["schemas"]["SettlementMoney"];
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
        };
        Price: {
            /** @description The `ctr_` id. */
            contractId: string;
            /** @description Whether the price can be traded. Read this before you show it */
            tradeable: boolean;
            /** @description Whether trading has stopped, independent of the status. */
            tradingClosed: boolean;
            /** @description Reference price, 0 to 1. After the decision it is the value of a YES contract, or null after VOID */
            probability: number | null;
            /** @description Reference price in cents, not rounded */
            yesCents: number | null;
            /** @description Reference price in cents, not rounded */
            noCents: number | null;
            /** @description Price of a buy of YES; if it is null, show no price */
            executableYesCents: number | null;
            /** @description Price of a buy of NO; if it is null, show no price */
            executableNoCents: number | null;
            /** @description Ask less bid in cents; null if one of them is missing. */
            spreadCents: number | null;
            /**
             * @description Source of the reference price.
             * @enum {string}
             */
            priceBasis: "midpoint" | "last" | "source" | "none";
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            priceUpdatedAt: string;
            /**
             * @description Result of the outcome; absent while it is open
             * @enum {string}
             */
            resolution?: "YES" | "NO" | "VOID" | "SPLIT";
        };
        PriceSnapshot: {
            /** @description Contracts. */
            contracts: components["schemas"]["Price"][];
            /** @description Requested ids that do not exist or are not offered */
            unknown: string[];
        };
        Quote: {
            /** @description Id of the quote, which can be used for one order. */
            quoteId: string;
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description A buy is sized by stake, a sell by contracts.
             * @enum {string}
             */
            action: "buy" | "sell";
            /** @description Price of the fill. Dollars per contract, 0 to 1. */
            executionPrice: number;
            /** @description Source of the price, e.g. `book`. */
            priceBasis: string;
            /** @description Dollars, for display. */
            stake: number | null;
            /** @description The platform's fee in dollars. For display, never booked. */
            platformFee: number;
            /** @description The platform's fee rate in basis points. */
            platformFeeBps: number;
            /** @description Stake less fee of a buy, notional of a sell. For display, never booked. */
            tradeAmount: number;
            /** @description Quantity to buy or sell. In contracts, with up to six decimal places. */
            contracts: number;
            /** @description Payout if the contract wins, or the proceeds of a sell. For display, never booked. */
            potentialPayout: number;
            /**
             * Format: date-time
             * @description Time at which the quote expires. ISO-8601, UTC.
             */
            expiresAt: string;
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
            freshness: components["schemas"]["Freshness"];
            routing: components["schemas"]["QuoteRouting"];
            /** @description Money of a buy; null for a sell. */
            operatorMoney: components["schemas"]["OperatorMoney"] | null;
            /** @description Money of a sell; null for a buy. */
            operatorExitMoney: components["schemas"]["OperatorExitMoney"] | null;
        };
        QuoteRouting: {
            /** @description Number of order books that were considered. */
            consideredVenues: number;
            /** @description Whether a person has verified that the listings are one contract. */
            routable: boolean;
        };
        Report: {
            /**
             * Format: date-time
             * @description Time at which the checks ran. ISO-8601, UTC.
             */
            ranAt: string;
            /**
             * Format: date-time
             * @description Start of the range that was checked; by default the accounting epoch. ISO-8601, UTC.
             */
            from: string;
            /** @description Position up to which the auditor had read the journal. It covers everything that was recorded when the report was requested. */
            restsOn: {
                /** @description Number of the last feed item that the auditor had read. */
                sequence: number;
                /**
                 * Format: date-time
                 * @description Time at which the auditor had read it. ISO-8601, UTC.
                 */
                auditedAt: string;
            };
            /** @description Whether no finding is critical. */
            ok: boolean;
            /** @description Debits and credits of all accounts. */
            trialBalance: {
                /** @description Sum of all debits. Exact decimal string in US dollars. */
                debits: string;
                /** @description Sum of all credits. Exact decimal string in US dollars. */
                credits: string;
                /** @description Debits less credits. Exact decimal string in US dollars. */
                difference: string;
                /** @description Whether the difference is zero. */
                balanced: boolean;
            };
            /** @description Customers' money that the service holds; zero unless it holds wallets. */
            cashStatement: components["schemas"]["Statement"];
            /** @description The operator's money. */
            collateralStatement: components["schemas"]["Statement"];
            /** @description Numbers of records that the report read. */
            scanned: {
                /** @description Ledger entries in the range. */
                entries: number;
                /** @description Ledger lines in the range. */
                lines: number;
                /** @description Accounts with lines. */
                accounts: number;
            };
            /** @description Exits compared with the venue. */
            venueAgreement: {
                /** @description Exits that were compared with the venue. */
                exits: number;
                /** @description Exits that agree. */
                agrees: number;
                /** @description Exits that disagree. */
                disagrees: number;
                /** @description Exits about which the venue has reported nothing. They do not count as a disagreement. */
                unknown: number;
            };
            /** @description Findings; empty if everything is in order. */
            findings: components["schemas"]["Finding"][];
        };
        ResolutionAnswer: {
            /** @description The position. */
            positionId: string;
            /**
             * @description The requested resolution.
             * @enum {string}
             */
            resolution: "WIN" | "LOSS" | "VOID";
            /** @description Whether the same resolution was requested before. */
            alreadyRequested: boolean;
            /** @description Whether the position has settled. */
            settled: boolean;
            /** @description Reason why it has not settled yet; otherwise null. */
            reason: string | null;
        };
        RevokedSession: {
            /** @description Id of the embed session. */
            sessionId: string;
            /** @description Time at which the session was ended. */
            revokedAt: string;
        };
        Scenario: {
            /** @description Id of the scenario. */
            scenarioId: string;
            /**
             * @description Outcome that the scenario gives to the order.
             * @constant
             */
            kind: "partial_fill";
            /** @description Part that fills; null if an amount was given. */
            fillFraction: number | null;
            /** @description Amount that fills; null if a fraction was given. */
            fillAmount: string | null;
            /** @description Id of the order to which it applies; null for the next order. */
            clientOrderId: string | null;
            /**
             * Format: date-time
             * @description One hour after it was armed. ISO-8601, UTC.
             */
            expiresAt: string;
        };
        ScenarioList: {
            /** @description Armed scenarios that have not fired and not expired. */
            scenarios: components["schemas"]["Scenario"][];
        };
        Settlement: {
            /** @description Stable id. Use it as the key of your credit. */
            id: string;
            /** @description The position that settled. Each position settles once. */
            positionId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description The `ctr_` id. */
            contractId: string;
            /**
             * @description Side of the contract.
             * @enum {string}
             */
            side: "YES" | "NO";
            /**
             * @description Resolution of the contract.
             * @enum {string}
             */
            resolution: "YES" | "NO" | "VOID" | "SPLIT";
            /**
             * @description Result of the position. `void` is an annulment or a split payout.
             * @enum {string}
             */
            outcome: "won" | "lost" | "void";
            /** @description Quantity settled. In contracts, with up to six decimal places. */
            contracts: number;
            /** @description Profit of this settlement: credit less cost basis. Exact decimal string in US dollars. */
            realisedPnl: string;
            /** @description Profit of the position so far. Exact decimal string in US dollars. */
            lifetimeRealisedPnl: string;
            /**
             * Format: date-time
             * @description Time of the settlement. ISO-8601, UTC.
             */
            settledAt: string;
            operatorMoney: components["schemas"]["SettlementMoney"];
            /** @description Cursor that continues right after this settlement. */
            cursor: string;
            /** @description Whether the service itself produces the fills. */
            simulated: boolean;
        };
        /** @description What to credit for a settlement. At most one amount is not zero; a loss zeroes both. */
        SettlementMoney: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Credit a winner with this. Exact decimal string in US dollars. */
            settlementCredit: string;
            /** @description Credit a void with this: a full refund, or a split payout. Exact decimal string in US dollars. */
            voidCredit: string;
        };
        SettlementPage: {
            /** @description Settlements, oldest first. */
            settlements: components["schemas"]["Settlement"][];
            /** @description Items on this page. */
            count: number;
            /** @description Cursor that continues after this page, also at the end. Use `hasMore` to know when to stop. */
            nextCursor: string;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        Statement: {
            /**
             * @description Owner of the money of the statement.
             * @enum {string}
             */
            side: "hosted" | "operator_collateral";
            /** @description Number of accounts that were compared. Zero accounts always reconcile, so read it before `reconciled`. */
            accountsInScope: number;
            /** @description Balance at `from`. Exact decimal string in US dollars. */
            opening: string;
            /** @description Balance of the accounts at `ranAt`. Exact decimal string in US dollars. */
            ending: string;
            /** @description Sum of the opening balance and the movements. Exact decimal string in US dollars. */
            expectedEnding: string;
            /** @description `ending` less `expectedEnding`. Exact decimal string in US dollars. */
            difference: string;
            /** @description Whether the difference is zero. */
            reconciled: boolean;
            /** @description Null on this report. */
            externalUserId: string | null;
            /** @description Deprecated; always null. */
            operatorUserId: null;
            /** @description The operator. */
            operatorId: string;
        };
        Trending: {
            /** @description Score of the ranking, 0 to 1. */
            score: number;
            /** @description Parts of the score. */
            components: {
                /** @description Contracts traded in 24 hours, not dollars. */
                volume24h: number;
                /** @description Share by depth of the book, 0 to 1. */
                liquidity: number;
                /** @description Share by price movement, 0 to 1. */
                movement: number;
                /** @description Share by age, 0 to 1. */
                recency: number;
            };
            /** @description One or two reasons for the ranking. */
            reasons: ("traded_today" | "deep_book" | "price_moving" | "new_today")[];
            /** @description Age of the newest price. */
            freshness: {
                /**
                 * @description Age of the newest confirmed price of the event
                 * @enum {string}
                 */
                level: "live" | "recent" | "aged" | "stale";
                /**
                 * Format: date-time
                 * @description ISO-8601 UTC
                 */
                computedAt: string;
            };
        };
        WalletEntry: {
            /** @description Id of the ledger entry. */
            id: string;
            /** @description Kind of the movement, e.g. `SANDBOX_CREDIT`. */
            movementType: string;
            /** @description Text for people. */
            memo: string;
            /** @description Signed amount. All amounts add up to `total` of the balance. Exact decimal string in US dollars. */
            amount: string;
            /** @description Balance of the wallet after the movement. Exact decimal string in US dollars. */
            balanceAfter: string;
            /**
             * Format: date-time
             * @description Time at which the movement was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description Kind of the record that caused the movement. */
            referenceType: string;
            /** @description Id of the record that caused the movement. */
            referenceId: string;
        };
        WalletPage: {
            /** @description Entries, newest first. */
            entries: components["schemas"]["WalletEntry"][];
            /** @description Items on this page. */
            count: number;
            /** @description Cursor of the next page; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description Time at which the attempt began. ISO-8601, UTC.
             */
            at: string;
            /** @description HTTP status of the response, or null if there was none. */
            status: number | null;
            /** @description Duration in milliseconds. */
            ms: number;
            /** @description Reason of the failure, or null if it was acknowledged. */
            error: string | null;
        };
        WebhookDelivery: {
            /** @description Id of the delivery. */
            deliveryId: string;
            /** @description Id of the endpoint to which it is sent. */
            endpointId: string;
            /** @description `id` of the event. */
            eventId: string;
            /** @description Type of the event. */
            type: string;
            /** @description Id of the order that the event is about, or null if it is about none. */
            orderId: string | null;
            /**
             * @description State of the delivery. An `exhausted` one was given up, and can be sent again.
             * @enum {string}
             */
            status: "pending" | "delivered" | "exhausted";
            /**
             * Format: date-time
             * @description Time at which it was queued. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description Attempts that are still stored, oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        WebhookDeliveryPage: {
            /** @description Deliveries, newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Cursor of the next page; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        WebhookEmitted: {
            /** @description Id of the fact itself. */
            id: string;
            /** @description Cursor that continues right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: 1, 2, 3 and so on, without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description Time at which the fact was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description The operator's id of the customer; null for the operator's own facts. */
            externalUserId: string | null;
            /** @description The position concerned. */
            positionId: string | null;
            /** @description The order concerned. */
            orderId: string | null;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "webhook.emitted";
            /** @description Always null. */
            money: null;
            detail: components["schemas"]["WebhookEmittedDetail"];
        };
        WebhookEmittedDetail: {
            /** @description Type of the event. */
            eventType: string;
            /** @description Deduplication key of the event. Compare it as a whole. */
            dedupeKey: string;
        };
        WebhookEndpoint: {
            /** @description Id of the endpoint. */
            endpointId: string;
            /** @description Address to which its events are sent. */
            url: string;
            /** @description Types of events that it takes. */
            events: ("order.intent_recorded" | "order.filled" | "order.rejected" | "order.completed" | "order.cancelled" | "position.settled" | "market.resolution_changed")[];
            /** @description Whether events are sent to it. */
            enabled: boolean;
            /** @description `gone` if it answered 410, `operator` if the service operator disabled it, or null while it is enabled. */
            disabledReason: ("operator" | "gone") | null;
            /**
             * Format: date-time
             * @description Time at which it was registered. ISO-8601, UTC.
             */
            createdAt: string;
        };
        WebhookEndpointList: {
            /** @description Endpoints, oldest first. */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEvent: components["schemas"]["OrderIntentRecordedEvent"] | components["schemas"]["OrderFilledEvent"] | components["schemas"]["OrderRejectedEvent"] | components["schemas"]["OrderCompletedEvent"] | components["schemas"]["OrderCancelledEvent"] | components["schemas"]["PositionSettledEvent"] | components["schemas"]["MarketResolutionChangedEvent"];
        WebhookEventPage: {
            /** @description Events, oldest first, each as it is delivered. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description Cursor that continues after this page, also at the end. Use `hasMore` to know when to stop. */
            nextCursor: string;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        Whoami: {
            /** @description Id of the key. */
            keyId: string;
            /** @description The operator for which the request acts: the holder of the key, or the child that the header names. */
            operatorId: string;
            /** @description The operator that holds the key. */
            holderId: string;
            /** @description Slug of the operator for which the request acts. */
            slug: string;
            /** @description Name of that operator. */
            name: string;
            /**
             * @description Mode of that operator.
             * @enum {string}
             */
            mode: "sandbox" | "live";
            /** @description Scopes of the key. */
            scopes: string[];
            /** @description Platform fee in basis points. */
            platformFeeBps: number;
            /** @description Whether the service operator has paused trading. */
            tradingPaused: boolean;
            /** @description Rate limit of the key. */
            rateLimit: {
                /** @description Requests per minute. */
                limit: number;
                /** @description Requests left in this minute. */
                remaining: number;
                /** @description Seconds until the minute ends. */
                resetSeconds: number;
            } | null;
            /**
             * Format: date-time
             * @description Time of the response. ISO-8601, UTC.
             */
            timestamp: string;
        };
    };
    responses: never;
    parameters: {
        /**
         * @description The operator's own id of the customer.
         * @example player-1
         */
        RequiredServiceUser: string;
        /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
        ServiceOperator: string;
        /**
         * @description The operator's own id of the customer.
         * @example player-7
         */
        ServiceUser: string;
    };
    requestBodies: never;
    headers: {
        /** @description Version of the response. Send it as `If-None-Match` to get 304 if nothing has changed. */
        ETag: string;
        /** @description Requests per minute that the key or the session may make. */
        "RateLimit-Limit": number;
        /** @description Requests left in this minute. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the next minute begins. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before the request is sent again. */
        "Retry-After": number;
        /** @description The scheme that is expected: `Bearer` with an API key, `Embed` with the token of a session. */
        "WWW-Authenticate": "Bearer" | "Embed";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description State of this record.
                         * @enum {string}
                         */
                        status: "ok" | "degraded" | "starting" | "unhealthy";
                        /**
                         * @description Whether the database responds.
                         * @enum {string}
                         */
                        database: "up" | "down";
                        /** @description Markets in the catalogue. */
                        markets: {
                            /** @description Number of all records. */
                            total: number;
                            /** @description Number of open markets. */
                            open: number;
                            /** @description Number of resolved markets. */
                            resolved: number;
                        };
                        /** @description State of the price stream. */
                        stream: {
                            /** @description Whether it runs. */
                            running: boolean;
                            /** @description Contracts that are followed at venues. */
                            subscriptions: number;
                            /** @description Contracts that are open. */
                            openContracts: number;
                            /** @description Contracts priced by a stream. */
                            streamPricedContracts: number;
                            /** @description Contracts priced by requests. */
                            restPricedContracts: number;
                        };
                        /** @description Settings of pricing. */
                        pricing: {
                            /** @description Addition to prices in basis points. */
                            houseEdgeBps: number;
                            /** @description Widest spread that gives a midpoint, 0 to 1. */
                            maxUsableSpread: number;
                        };
                        /**
                         * Format: date-time
                         * @description Time of the response.
                         */
                        timestamp: string;
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description A category of /categories
                 * @example economics
                 */
                category?: string;
                /**
                 * @description Slug of a sport, or of a family of sports
                 * @example soccer
                 */
                sport?: string;
                /**
                 * @description Slug of a league
                 * @example hnl
                 */
                league?: string;
                /** @description Words in title, subtitle and outcome labels. The first eight different words are used */
                search?: string;
                /** @description Order of the list. */
                sort?: "trending" | "volume" | "closing-soon" | "new";
                /** @description Ascending or descending. */
                dir?: "asc" | "desc";
                /**
                 * @description Largest number of records to return.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description Language: en, es, pt or hr. Any other value selects English
                 * @example es
                 */
                locale?: string;
                /**
                 * @description `true` returns only events with at least one executable side
                 * @example true
                 */
                tradable?: boolean;
                /** @description ISO-8601, inclusive; a date alone is its midnight UTC */
                closesAfter?: string;
                /** @description ISO-8601, inclusive; a date alone is its midnight UTC */
                closesBefore?: string;
                /**
                 * @description Opaque, and valid only with the same sort and dir
                 * @example WzEsImV2ZW50czp0cmVuZGluZzpkZXNjIiw1NDI1MjgsImV2dF9xZWJteG0yNzB6ajQ5YmdncGswZXlwamRkMiJd
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The operator's own id of the customer.
                 * @example player-7
                 */
                "X-Service-User"?: components["parameters"]["ServiceUser"];
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: {
                /** @description Language: en, es, pt or hr. Any other value selects English */
                locale?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example evt_ggd8vdcy06afw7zhkhw82k840p
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    getEventHistory: {
        parameters: {
            query?: {
                /**
                 * @description Period: `1d`, `1w`, `1m` or `all`.
                 * @example 1d
                 */
                range?: "1d" | "1w" | "1m" | "all";
                /**
                 * @description Comma-separated ctr_ ids, at most 12; by default the most traded.
                 * @example ctr_nfzwg2ebpqc3vf1j5dhbapat38
                 */
                contracts?: string;
                /** @description Language: `en`, `es`, `pt` or `hr`. Any other value selects English. */
                locale?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example evt_ggd8vdcy06afw7zhkhw82k840p
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this response. */
                        data: {
                            /** @description Id of the event. */
                            eventId: string;
                            /**
                             * @description Period: `1d`, `1w`, `1m` or `all`.
                             * @enum {string}
                             */
                            range: "1d" | "1w" | "1m" | "all";
                            /** @description One line for each outcome. */
                            series: {
                                /** @description The `ctr_` id. */
                                contractId: string;
                                /** @description Text for display. */
                                label: string;
                                /** @description Points of Unix seconds, the probability at that time, and the same time in ISO-8601, oldest first. The last point is the current one, or the result of a decided outcome. */
                                points: [
                                    number,
                                    number,
                                    string
                                ][];
                            }[];
                        };
                    };
                };
            };
        };
    };
    listContractNames: {
        parameters: {
            query: {
                /**
                 * @description Comma-separated ctr_ ids, at most 100.
                 * @example ctr_nfzwg2ebpqc3vf1j5dhbapat38,ctr_hz8sad931v3b0cx094bw5vssbt
                 */
                ids: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractNames"];
                };
            };
        };
    };
    getContractBook: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ctr_nfzwg2ebpqc3vf1j5dhbapat38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractBook"];
                };
            };
        };
    };
    getContractTrades: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ctr_nfzwg2ebpqc3vf1j5dhbapat38
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractTrades"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryList"];
                };
            };
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Event id
                 * @example evt_qebmxm270zj49bggpk0eypjdd2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "image/gif": string;
                };
            };
        };
    };
    streamPrices: {
        parameters: {
            query: {
                /**
                 * @description Comma-separated ctr_ ids
                 * @example ctr_nfzwg2ebpqc3vf1j5dhbapat38
                 */
                contracts: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. `data` is a PriceSnapshot in the first event, and a Price in all others */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    mintEmbedSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The operator's own id of the customer. */
                    externalUserId: string;
                    /** @description The origin of the page, `https` or `http` on loopback; a path is dropped. Calls of the session are taken from it alone. */
                    returnOrigin?: string;
                    /**
                     * @description Lifetime of the session in seconds.
                     * @default 900
                     */
                    ttlSeconds?: number;
                    /** @description Language: `en`, `es`, `pt` or `hr`. Any other value selects English. */
                    locale?: string;
                    /**
                     * @description Region that decides how numbers and dates are written.
                     * @enum {string}
                     */
                    region?: "global" | "ar" | "br" | "mx" | "cl" | "co" | "pe" | "us" | "eu" | "hr";
                    /** @description Place of the customer. */
                    jurisdiction?: {
                        /** @description Two letters, as ISO 3166-1 assigns them. */
                        country: string;
                        /** @description Part of an ISO 3166-2 code after the hyphen, one to three letters or digits; null if not stated. */
                        subdivision?: string | null;
                    };
                    /**
                     * @description Presentation of the frame: mode, accent, radius, density.
                     * @default {}
                     */
                    theme?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Named list of offered events; absent if all are offered. */
                    operatorBookId?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedSession"];
                };
            };
        };
    };
    revokeEmbedSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ses_01a232c3de787cd394eb485fd695f47e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedSession"];
                };
            };
        };
    };
    getJurisdiction: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JurisdictionAssertion"];
                };
            };
        };
    };
    putJurisdiction: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Two letters, as ISO 3166-1 assigns them. */
                    country: string;
                    /** @description Part of an ISO 3166-2 code after the hyphen, one to three letters or digits; null if not stated. */
                    subdivision?: string | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JurisdictionAssertion"];
                };
            };
        };
    };
    getCustomerLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerLimits"];
                };
            };
        };
    };
    putCustomerLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-2
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Set both `periodStakeMinor` and `periodHours`, or neither. A field that is left out is null. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Largest stake of one order, in cents; null for no limit.
                     * @default null
                     */
                    maxWagerMinor?: number | null;
                    /**
                     * @description Largest sum of stakes in a period, in cents; null for no limit.
                     * @default null
                     */
                    periodStakeMinor?: number | null;
                    /**
                     * @description Length of the period in hours.
                     * @default null
                     */
                    periodHours?: number | null;
                    /**
                     * @description Note of the person who set it.
                     * @default null
                     */
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerLimits"];
                };
            };
        };
    };
    deleteCustomerLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerLimits"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The operator's own id of the customer.
                 * @example player-1
                 */
                "X-Service-User": components["parameters"]["RequiredServiceUser"];
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Exactly one of `stake` and `contracts`: a buy is sized by `stake`, a sell by `contracts`. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `ctr_` id of the contract. */
                    marketId: string;
                    /**
                     * @description Side of the contract.
                     * @enum {string}
                     */
                    side: "YES" | "NO";
                    /**
                     * @description A buy is sized by stake, a sell by contracts.
                     * @enum {string}
                     */
                    action: "buy" | "sell";
                    /** @description Dollars to spend on a buy, fee included. */
                    stake?: number | null;
                    /** @description Contracts to sell. */
                    contracts?: number | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-1
                 */
                externalUserId?: string;
                /**
                 * @description Only the order with this id. Needs `externalUserId`.
                 * @example order-1000
                 */
                clientOrderId?: string;
                /** @description Only the order with this support reference. */
                executionRef?: string;
                /** @description Repeatable; an unknown one gives an empty page. */
                status?: ("reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending") | ("reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending")[];
                /** @description Earliest `createdAt`, inclusive; ignored if it is not a date or date-time. */
                since?: string;
                /** @description Latest `createdAt`, inclusive; ignored if it is not a date or date-time. */
                until?: string;
                /**
                 * @description Items per page. A larger value is lowered to the maximum.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description Opaque text: `nextCursor` of the previous page.
                 * @example WzEsIm9yZGVyczpvcF84cGowOWYwaHllcW0iLCJvcmRfMDFhMjMyYzQ2ZjAwNzc2ODhmMTcwMTJmODUyZDU4YzQiXQ
                 */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The operator's own id of the customer.
                 * @example player-1
                 */
                "X-Service-User": components["parameters"]["RequiredServiceUser"];
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The quote at which to order. */
                    quoteId: string;
                    /** @description Idempotency key, unique per operator and customer. */
                    clientOrderId: string;
                    /** @description By default `record_intent` for live operators and `simulate` for sandbox operators. */
                    executionIntent?: ("record_intent" | "simulate") | null;
                    /** @description Confirms the reserve in the same call. */
                    reserveReference?: (string | "") | null;
                    /** @description How much worse the price may be, in dollars per contract; by default 0, and at most 0.05. */
                    maxSlippage?: number | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The record was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: {
                /**
                 * @description Exactly `true` adds the fills.
                 * @example true
                 */
                fills?: boolean;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ord_01a232c401a0719cb9ca7b1d40237c62
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderDetail"];
                };
            };
        };
    };
    getOrderHistory: {
        parameters: {
            query?: {
                /** @description The operator's own id of the customer: the id in the path may then be a `clientOrderId`. */
                externalUserId?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ord_01a232c7af087f079ab932ce92a11938
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderHistory"];
                };
            };
        };
    };
    confirmReserve: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ord_01a232c624807379873f60c693d5c50b
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Optional. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The operator's reference of its reserve. An empty text counts as absent. */
                    reserveReference?: (string | "") | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderDetail"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example ord_01a232c4346873b8bbfbb725974e9eb0
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Optional, and empty. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cancellation"];
                };
            };
        };
    };
    listPositions: {
        parameters: {
            query?: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-1
                 */
                externalUserId?: string;
                /** @description Repeatable; an unknown one gives an empty page. */
                status?: ("open" | "closed" | "settled") | ("open" | "closed" | "settled")[];
                /** @description Items per page. A larger value is lowered to the maximum. */
                limit?: number;
                /** @description Opaque text: `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PositionPage"];
                };
            };
        };
    };
    getPosition: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example pos_01a232c4b1687926877c831f0510fa3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Position"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /**
                 * @description Only this customer. An unknown customer is refused with 404 `unknown_user`.
                 * @example player-2
                 */
                externalUserId?: string;
                /**
                 * @description Only this outcome: `won`, `lost` or `void`. Any other value returns an empty page.
                 * @example won
                 */
                outcome?: string;
                /** @description Earliest `settledAt`, inclusive. */
                settledFrom?: string;
                /** @description Latest `settledAt`, inclusive. */
                settledTo?: string;
                /**
                 * @description Items per page. A larger value is lowered to the maximum.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description Opaque text: `nextCursor` of the previous page.
                 * @example WzEsInNldHRsZW1lbnRzOm9wX2FnMDhwM3k4YmR0NSIsIjEzMSJd
                 */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementPage"];
                };
            };
        };
    };
    listSettledPositions: {
        parameters: {
            query?: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-2
                 */
                externalUserId?: string;
                /** @description `cursor` of the answer before. */
                since?: string;
                /** @description Items per page. A larger value is lowered to the maximum. */
                limit?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The route that replaces this one. */
                        supersededBy: string;
                        /** @description Settlements, oldest first. */
                        settlements: components["schemas"]["Settlement"][];
                        /** @description Items on this page. */
                        count: number;
                        /** @description Value to send as `?since=` for the next page. */
                        cursor: string | null;
                    };
                };
            };
        };
    };
    readReconciliationFeed: {
        parameters: {
            query?: {
                /**
                 * @description Opaque text: `nextCursor` of the previous page.
                 * @example WzEsImZlZWQ6b3Bfd2p4ZjhkZnM3eGV6IiwiNiJd
                 */
                cursor?: string;
                /**
                 * @description Repeatable; an unknown one is 400 `invalid_type`, which names all.
                 * @example order.state_changed
                 */
                type?: ("order.state_changed" | "order.filled" | "fee.assessed" | "collateral.moved" | "ledger.posted" | "position.exited" | "position.settled" | "webhook.emitted") | ("order.state_changed" | "order.filled" | "fee.assessed" | "collateral.moved" | "ledger.posted" | "position.exited" | "position.settled" | "webhook.emitted")[];
                /** @description Only this customer. An unknown customer is refused with 404 `unknown_user`. */
                externalUserId?: string;
                /**
                 * @description Items per page. A larger value is lowered to the maximum.
                 * @example 3
                 */
                limit?: number;
                /**
                 * @description Without a cursor, the page begins this many matching items before the end.
                 * @example 2
                 */
                last?: number;
                /** @description If nothing follows the cursor, waits at most so many seconds for what comes next; clamped. At most four requests of a key wait; a fifth is answered at once. */
                wait?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
        };
    };
    getFeedCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedCheckpoint"];
                };
            };
        };
    };
    listLogKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogKeys"];
                };
            };
        };
    };
    getFeedProof: {
        parameters: {
            query?: {
                /**
                 * @description Proves that the log holds the item of this number.
                 * @example 2
                 */
                sequence?: number;
                /**
                 * @description Proves that the log of this size is the beginning of the log of `size`.
                 * @example 6
                 */
                from?: number;
                /**
                 * @description Size of the log; that of the newest checkpoint where it is left out.
                 * @example 6
                 */
                size?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedProof"];
                };
            };
        };
    };
    getReconciliationReport: {
        parameters: {
            query?: {
                /** @description ISO-8601; by default the accounting epoch. */
                from?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    exportReconciliation: {
        parameters: {
            query: {
                /**
                 * @description Register to export.
                 * @example settlements
                 */
                kind: "feed" | "orders" | "settlements" | "positions" | "ledger" | "fees" | "revenue" | "statement";
                /** @description Grouping of the rows of a revenue statement: one or two of these, in this order; by default `day`. */
                by?: "day" | "customer" | "market" | "day,customer" | "day,market" | "customer,day" | "customer,market" | "market,day" | "market,customer";
                /**
                 * @description Format of the body.
                 * @example jsonl
                 */
                format?: "csv" | "jsonl" | "json";
                /** @description ISO-8601, inclusive, by the time recorded; a date alone is its midnight UTC. */
                from?: string;
                /** @description ISO-8601, exclusive; never later than the start of the export. A date alone is its midnight UTC. */
                to?: string;
                /** @description Number of rows that you already have. Only for kinds that are append-only, as csv or jsonl. */
                skip?: number;
                /** @description Separator between the cells of CSV; by default `,`, or `;` with a decimal comma. */
                delimiter?: string;
                /** @description Whether CSV begins with a byte order mark. */
                bom?: boolean;
                /** @description Whether decimals in CSV have a comma. */
                decimalComma?: boolean;
                /** @description Writes times of CSV as 2026-11-01 13:00:00 on the clock of this IANA time zone, instead of ISO-8601 in UTC. The days of a revenue statement begin in this time zone in every format. */
                timeZone?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows in the requested format */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/json": {
                        [key: string]: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
        };
    };
    getCollateral: {
        parameters: {
            query?: {
                /**
                 * @description Items per page. A larger value is lowered to the maximum.
                 * @example 4
                 */
                limit?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collateral"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /**
                 * @description Opaque text: `nextCursor` of the previous page.
                 * @example WzEsIndlYmhvb2stZXZlbnRzOm9wX2RrOTdicTM5d2txYSIsIjYiXQ
                 */
                cursor?: string;
                /** @description Items per page. A larger value is lowered to the maximum. */
                limit?: number;
                /** @description Repeatable; an unknown one is 400 `invalid_type`, which names all. */
                type?: ("order.intent_recorded" | "order.filled" | "order.rejected" | "order.completed" | "order.cancelled" | "position.settled" | "market.resolution_changed") | ("order.intent_recorded" | "order.filled" | "order.rejected" | "order.completed" | "order.cancelled" | "position.settled" | "market.resolution_changed")[];
                /** @description Returns only events about this order. */
                orderId?: string;
                /** @description Without a cursor, the page begins this many events before the end. */
                last?: number;
                /** @description If nothing follows the cursor, waits at most so many seconds for what comes next; clamped. At most four requests of a key wait; a fifth is answered at once. */
                wait?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Returns only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Returns only deliveries of this event. */
                eventId?: string;
                /**
                 * @description Returns only deliveries of events about this order.
                 * @example ord_01a232c7af087f079ab932ce92a11938
                 */
                orderId?: string;
                /** @description Repeatable; an unknown one gives an empty page. */
                status?: ("pending" | "delivered" | "exhausted") | ("pending" | "delivered" | "exhausted")[];
                /** @description Items per page. A larger value is lowered to the maximum. */
                limit?: number;
                /** @description Opaque text: `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example dlv_01a232c7af087f079ab932ce92a11938_1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request was accepted, and is carried out now. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listSupportedAssets: {
        parameters: {
            query?: {
                /**
                 * @description Only this asset.
                 * @example USDC
                 */
                symbol?: string;
                /** @description Only these assets, comma-separated. */
                symbols?: string;
                /** @description Only assets on this chain. */
                chainId?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assets"];
                };
            };
        };
    };
    createDepositAddress: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The operator's own id of the customer.
                 * @example player-1
                 */
                "X-Service-User": components["parameters"]["RequiredServiceUser"];
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Symbol of a supported asset. */
                    symbol: string;
                    /** @description Id of a supported chain. */
                    chainId: number | string;
                };
            };
        };
        responses: {
            /** @description The record was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepositAddress"];
                };
            };
        };
    };
    getDeposit: {
        parameters: {
            query?: {
                /**
                 * @description `false` skips the poll of the bridge.
                 * @example false
                 */
                sync?: boolean;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of this record; in a path, id of the record that is meant.
                 * @example dep_01a232c4e430769897dd1aa16de5fe54
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deposit"];
                };
            };
        };
    };
    listScenarios: {
        parameters: {
            query?: {
                /** @description Id of a scenario to remove first. An unknown id is refused with 404 `scenario_not_found`. */
                disarm?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioList"];
                };
            };
        };
    };
    armScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Exactly one of `fillFraction` and `fillAmountMinor`. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Outcome that the scenario gives to the order.
                     * @enum {string}
                     */
                    kind: "partial_fill";
                    /** @description Part of the contracts that fills. */
                    fillFraction?: number | null;
                    /** @description Cents that fill: of the authorization of a buy, or of the notional of a sell. */
                    fillAmountMinor?: number | null;
                    /** @description Id of the order to which it applies; by default the next order. */
                    clientOrderId?: string | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scenario"];
                };
            };
        };
    };
    disarmScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description Id of the scenario.
                 * @example scn_01a232c50f287b2e8b6d5fcf6a4f11a8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioList"];
                };
            };
        };
    };
    resolvePosition: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An open position. */
                    positionId: string;
                    /**
                     * @description Result for the side of the position, in upper or lower case.
                     * @enum {string}
                     */
                    resolution: "WIN" | "LOSS" | "VOID";
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolutionAnswer"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: {
                /** @description `USD` is the only currency. */
                currency?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    listWalletEntries: {
        parameters: {
            query?: {
                /**
                 * @description Items per page. A larger value is lowered to the maximum.
                 * @example 3
                 */
                limit?: number;
                /**
                 * @description Opaque text: `nextCursor` of the previous page.
                 * @example WzEsIndhbGxldDpvcF84cGowOWYwaHllcW0iLCIzMCJd
                 */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path: {
                /**
                 * @description The operator's own id of a customer.
                 * @example player-1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletPage"];
                };
            };
        };
    };
    whoami: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Without it, the key acts for its own operator. */
                "x-service-operator"?: components["parameters"]["ServiceOperator"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Whoami"];
                };
            };
        };
    };
    receiveOrderIntentRecordedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderIntentRecordedEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOrderFilledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderFilledEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOrderRejectedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRejectedEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOrderCompletedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCompletedEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOrderCancelledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCancelledEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePositionSettledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PositionSettledEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMarketResolutionChangedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now. */
                "service-signature": string;
                /** @description The earlier name of `service-signature`, with the same value. */
                "x-webhook-signature": string;
                /** @description The type of the event. */
                "service-event-type": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarketResolutionChangedEvent"];
            };
        };
        responses: {
            /** @description Disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
