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
         * @description Filtered and ordered.
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
         * @description By its id or slug, with all its outcomes.
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
         * @description Recorded prices of an event.
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
         * @description What contracts are called, and the event of each.
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
         * @description Of one contract.
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
         * @description What was traded lately, as the market reports it.
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
         * @description With the number of events that are offered in each.
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
         * @description Server-sent events.
         *
         *     Frames: `snapshot` once, then `price`, and `closed` when a contract stops for good; a pause and its end are `price`. A `: ping` comment every 15 s. An optional `Authorization: Embed <token>` selects the offering policy. No API key is accepted.
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
         * @description For one customer, and short-lived. Its token is shown only once.
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
         * @description At once. A repeated call changes nothing.
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
         * @description Where you said that the customer is.
         *
         *     Scopes: `markets:read`.
         */
        get: operations["getJurisdiction"];
        /**
         * Set a customer's jurisdiction
         * @description States where the customer is.
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
         * @description Those that you set, and those that apply.
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
         * @description Removes those that you set; `effective` has what still applies.
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
         * @description For a buy by stake, or a sell by contracts. The price is held for some seconds.
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
         * @description Newest first.
         *
         *     Scopes: `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description At the price of a quote. The same `clientOrderId` again returns the order that it made, and makes no second one.
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
         * @description With its intent, and with its fills if `fills=true`.
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
         * @description Says that you reserved the money of a recorded order, so that it may be sent. A repeated call changes nothing.
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
         * @description Only an order of which nothing was sent. A repeated call returns the cancellation.
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
         * @description Newest first.
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
         * @description The register of settlements, oldest first. Read until `hasMore` is false, and keep `nextCursor`.
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
         * @description By time.
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
         * @description Every money fact, in one order. Read until `hasMore` is false, and keep `nextCursor`.
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
         * @description An addition to the contract. The newest signed checkpoint of the feed, at most 10 s behind it.
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
         * @description An addition to the contract. The chain of the keys that sign checkpoints of the feed: each change is signed by the key before it and by the new one. The newest signs.
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
         * @description An addition to the contract. With `sequence` a proof that an item is in the log; with `from` a proof that the log continues an earlier one.
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
         * @description The trial balance, the statements, and the findings of every check.
         *
         *     It covers everything that was recorded when it was requested: a report waits until the auditor has read that. Equal requests that wait share one run, and an operator has one run at a time, an aggregator one with its children. A report that cannot start within 10 s, or for which the auditor takes more than 30 s, is 503 `service_unavailable` with `Retry-After`.
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
         * @description An addition to the contract. A whole register as CSV, JSON lines or JSON.
         *
         *     Streams. The header `x-export` contains the exact window, the number of rows and their totals as JSON, `x-export-to` the end of the window alone, and `x-export-columns` the columns and their types; a body with fewer rows is incomplete. An operator has one export at a time, an aggregator one with its children (503 `service_unavailable` with `Retry-After`); one whose reader takes nothing for 30 s, or that runs for 30 min, is aborted.
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
         * @description What is available and committed, and the last movements.
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
         * @description What the test bridge accepts.
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
         * @description For deposits of one customer. No real funds can be sent there.
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
         * @description A read asks the bridge, unless `sync=false`. The second read credits 1,000.00.
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
         * @description `?disarm=` removes one first; prefer `DELETE` for that.
         *
         *     Scopes: `orders:read`.
         */
        get: operations["listScenarios"];
        put?: never;
        /**
         * Arm a scenario
         * @description A partial fill for one order, or for the next one of this key. It applies once, within an hour.
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
         * @description Answers with those that are still armed.
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
         * @description The simulated money of a customer: available, held and total.
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
         * @description Of the simulated wallet, newest first.
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
         * @description An addition to the contract. The operator, the scopes and the budget of the key.
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
         * A live order was recorded and nothing was sent. Reserve and hold.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.order.intent_recorded"];
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
         * One event per fill. Book the difference of `operatorMoney` to what was applied before.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.order.filled"];
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
         * The order was refused; nothing was filled.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.order.rejected"];
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
         * The money of an order is final that was not with the venue’s first answer. Once per order.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.order.completed"];
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
         * An untransmitted order was withdrawn.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.order.cancelled"];
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
         * A position settled: the same fact as in the settlements register.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.position.settled"];
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
         * A resolution changed after positions settled. No money moves by itself.
         * @description Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.
         */
        post: operations["webhook.market.resolution_changed"];
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
                /** @description Places of the asset. */
                decimals: number;
                /** @description Least deposit, decimal string. */
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
            /** @description Free to spend. Exact decimal string in US dollars. */
            available: string;
            /** @description Held by orders that are not final. Exact decimal string in US dollars. */
            held: string;
            /** @description Available and held. Exact decimal string in US dollars. */
            total: string;
        };
        Cancellation: {
            /** @description Idempotency key of the release; the `orderId` names the same one. */
            cancellationId: string;
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description What was reserved. Exact decimal string in US dollars. */
            authorizationAmount: string;
            /** @description Always 0.00. Exact decimal string in US dollars. */
            actualDebit: string;
            /** @description Give this back. Exact decimal string in US dollars. */
            releaseAmount: string;
            /** @description True on a repeated call. */
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
            /** @description The records of this answer. */
            data: components["schemas"]["Category"][];
            /** @description Number of events offered in all. */
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
            /** @description Available and committed. Exact decimal string in US dollars. */
            total: string;
            /** @description The last ones, newest first; the feed has all of them. */
            movements: components["schemas"]["CollateralMovement"][];
        };
        CollateralMoved: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description The exact instruction, as decimal strings. */
            money: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Amount of the movement. Exact decimal string in US dollars. */
                amount: string;
                /** @description Collateral after the movement. Exact decimal string in US dollars. */
                balanceAfter: string;
                /** @description Of which committed to orders. Exact decimal string in US dollars. */
                committedAfter: string;
            };
            /** @description What this type of record adds. */
            detail: {
                /**
                 * @description What moved it.
                 * @enum {string}
                 */
                kind: "deposit" | "withdrawal" | "commit" | "release" | "spend" | "return";
                /** @description For people. */
                memo: string;
                /** @description The entry that posted it. */
                ledgerEntryId: string | null;
            };
        };
        CollateralMovement: {
            /** @description Id of the `collateral.moved` item. */
            id: string;
            /** @description Its number in the feed. */
            sequence: number;
            /**
             * @description What moved it.
             * @enum {string}
             */
            kind: "deposit" | "withdrawal" | "commit" | "release" | "spend" | "return";
            /** @description What was moved. Exact decimal string in US dollars. */
            amount: string;
            /** @description Free after it. Exact decimal string in US dollars. */
            availableAfter: string;
            /** @description Committed after it. Exact decimal string in US dollars. */
            committedAfter: string;
            /** @description For people. */
            memo: string;
            /** @description What a deposit or withdrawal was agreed under; else null. */
            reference: string | null;
            /** @description The operator's id of the customer; null for deposits and withdrawals. */
            externalUserId: string | null;
            /** @description The order that moved it, if one did. */
            orderId: string | null;
            /** @description The position that moved it, if one did. */
            positionId: string | null;
            /** @description The entry that posted it. */
            ledgerEntryId: string;
            /**
             * Format: date-time
             * @description When it was recorded. ISO-8601, UTC.
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
            /** @description When the book last changed; null without a book. */
            updatedAt: string | null;
        };
        ContractNames: {
            /** @description Known ones, in no particular order. Contracts that are no longer offered keep their names. */
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
            /** @description Newest first, at most 20, and only those since this process of the service started. */
            trades: {
                /**
                 * Format: date-time
                 * @description When the market reported it.
                 */
                at: string;
                /** @description Dollars per contract of YES, of the last trade in this report. */
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
            /** @description Received, decimal string in the asset. */
            amount: string | null;
            /** @description Amount credited, or null. */
            creditedAmount: string | null;
            /** @description Where it was sent. */
            address: string;
            /**
             * Format: date-time
             * @description When the address was made. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description When it was credited, or null. */
            creditedAt: string | null;
        };
        DepositAddress: {
            /** @description Id of the deposit to watch. */
            depositId: string;
            /** @description Where test funds would be sent. */
            address: string;
            /** @description Symbol of the asset, e.g. `USDC`. */
            symbol: string;
            /** @description Id of the chain. */
            chainId: number | string;
            /** @description Tag of the transfer, where the chain needs one. */
            memo: string | null;
            /**
             * Format: date-time
             * @description End of the address. ISO-8601, UTC.
             */
            expiresAt: string;
        };
        EmbedSession: {
            /** @description Id of the embed session. */
            sessionId: string;
            /** @description When it expires. */
            expiresAt: string;
            /** @description Seconds until it expires. */
            expiresInSeconds: number;
            /** @description Id of the operator. */
            operatorId: string;
            /** @description The operator's own id of the customer. */
            externalUserId: string;
            /** @description Origin of the page to which the session is bound, or null. */
            origin: string | null;
            /** @description Language: `en`, `es`, `pt` or `hr`; anything else is English. */
            locale: string | null;
            /** @description Region that decides how numbers and dates are written. */
            region: ("global" | "ar" | "br" | "mx" | "cl" | "co" | "pe" | "us" | "eu" | "hr") | null;
            /** @description Where the customer is. */
            jurisdiction: {
                /** @description Two letters, as ISO 3166-1 assigns them. */
                country: string;
                /** @description The part after the hyphen of an ISO 3166-2 code, one to three letters or digits; or null. */
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
                /** @description How many at most. */
                limit: number;
                /** @description When the count starts again. */
                resetsAt: string;
            };
            /** @description Named list of offered events; absent for all. */
            operatorBookId?: string;
            /** @description The token of the session, shown only once. */
            token: string;
            /**
             * @description Kind of token.
             * @constant
             */
            tokenType: "embed_session";
        };
        /** @description Branch on `error`; `message` is prose. Some codes add fields, and more may be added. */
        Error: {
            /** @description Machine code; each operation lists those that it may answer with. */
            error: string;
            /** @description For people; never branch on it. */
            message: string;
            /** @description The largest stake that would pass, in dollars, for display. Of limits, ceilings and depth. */
            maxStake?: number;
            /** @description The order concerned: the one that spent the quote, or the one that holds your `clientOrderId`. */
            orderId?: string;
            /** @description The support reference of that order. */
            executionRef?: string;
            /**
             * @description Of a cancellation that is refused: why the order cannot be withdrawn.
             * @enum {string}
             */
            transmissionState?: "not_transmitted" | "unknown" | "resolved";
            /** @description `jurisdiction`, where `market_not_offered` is because of where the customer is. */
            reason?: string;
            /** @description Which cap of the account `over_tenant_exposure` is about. */
            cap?: string;
            /** @description The scopes that the route needs. */
            required?: string[];
            /** @description Those of them that the key does not have. */
            missing?: string[];
            /** @description When to ask again; the same number as the header `Retry-After`. */
            retryAfterSeconds?: number;
            /** @description The fields that are wrong. */
            detail?: {
                /** @description The field, dotted. */
                path: string;
                /** @description What is wrong with it. */
                message?: string;
            }[];
            /** @description Of `invalid_type`: the types that exist. */
            supported?: string[];
            /** @description Of `invalid_sport`: the sports that the operator is offered. */
            sports?: string[];
            /** @description Of a checkpoint: the items of the newest one. */
            size?: number;
            /** @description Of a checkpoint: the root of our log, base64. */
            root?: string;
            /** @description Of `cursor_ahead`: the number of the last item. */
            lastSequence?: number;
            /** @description Of `cursor_ahead`: how often the books were restored to an earlier point, and one. */
            epoch?: number;
        };
        Event: {
            /** @description The id in the path or of this record. */
            id: string;
            /** @description Readable name in addresses. */
            slug: string;
            /** @description Title in the requested language. */
            title: string;
            /** @description The original, where the title was translated */
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
            /** @description Path; prefix with the host */
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
            /** @description The same with its unit, or null. */
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
            /** @description Only on a list ranked by activity */
            trending?: components["schemas"]["Trending"];
            /** @description How the event is decided; null if no rules are published. Only on a single event */
            rules?: components["schemas"]["EventRules"] | null;
        };
        EventCourse: {
            /** @description The prices of the coin of a five-minute event, oldest first; empty if the venue reports none. */
            coin: [
                number,
                number
            ][];
            /** @description The score of a match since each moment at which it changed, oldest first. */
            scores: [
                number,
                number,
                number
            ][];
        };
        EventDetail: {
            data: components["schemas"]["Event"];
        };
        EventList: {
            /** @description The records of this answer. */
            data: components["schemas"]["Event"][];
            /** @description Where the next page begins. */
            pagination: {
                /** @description How many at most. */
                limit: number;
                /** @description Size of the whole filtered set */
                total: number;
                /** @description Cursor of the next page; null at the end. */
                nextCursor: string | null;
                /** @description Whether there is another page. */
                hasMore: boolean;
            };
            /** @description Where the customer is. */
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
            /** @description How the result is decided, in English; null if each outcome has its own text */
            text: string | null;
            /** @description What the result is read from, as its publisher is called */
            source: string | null;
            /** @description Where the source can be read; `http` or `https` */
            sourceUrl: string | null;
            /** @description When the last outcome is expected to have its result; null if unknown */
            resolvesAt: string | null;
            /** @description The own text of each outcome; empty if `text` holds for all of them */
            outcomes: {
                /** @description The id in the path or of this record. */
                id: string;
                /** @description The rule in words. */
                text: string;
            }[];
        };
        FeeAssessed: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description The exact instruction, as decimal strings. */
            money: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Amount of the movement. Exact decimal string in US dollars. */
                amount: string;
            };
            /** @description What this type of record adds. */
            detail: {
                /**
                 * @description Whose fee.
                 * @enum {string}
                 */
                kind: "platform" | "venue";
                /** @description Rate in basis points; null where there is none. */
                bps: number | null;
                /** @description Change of the profit of a position that holds nothing any more: a venue fee became known after everything was sold. Exact decimal string in US dollars. */
                realisedPnl?: string;
            };
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
             * @description When the checkpoint was signed. ISO-8601, UTC.
             */
            signedAt: string;
        };
        FeedItem: components["schemas"]["OrderStateChanged"] | components["schemas"]["OrderFilled"] | components["schemas"]["FeeAssessed"] | components["schemas"]["CollateralMoved"] | components["schemas"]["LedgerPosted"] | components["schemas"]["PositionExited"] | components["schemas"]["PositionSettled"] | components["schemas"]["WebhookEmitted"];
        FeedPage: {
            /** @description In order of `sequence`. */
            items: components["schemas"]["FeedItem"][];
            /** @description Resumes after this page, also at the end; stop on `hasMore`. */
            nextCursor: string;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        FeedProof: {
            /** @description `inlay/<operatorId>`. */
            origin: string;
            /**
             * @description What is proven.
             * @enum {string}
             */
            kind: "inclusion" | "consistency";
            /** @description Inclusion: the number of the item; its leaf index plus one. */
            sequence?: number;
            /** @description Inclusion: hash of the leaf, which is the item in RFC 8785 form without `cursor`. SHA-256, base64. */
            leafHash?: string;
            /** @description Consistency: size of the smaller log. */
            from?: number;
            /** @description Consistency: root of the smaller log. SHA-256, base64. */
            fromRoot?: string;
            /** @description Size of the log. */
            size: number;
            /** @description Root of the log of that size. SHA-256, base64. */
            root: string;
            /** @description The proof of RFC 6962, 2.1.1 or 2.1.2, in its order. */
            proof: string[];
        };
        Fill: {
            /** @description Id of the fill. */
            fillId: string;
            /** @description Matched by this fill. Contracts, to six places. */
            quantity: number;
            /** @description Of this fill. Dollars a contract, 0 to 1. */
            price: number;
            /**
             * Format: date-time
             * @description When it matched. ISO-8601, UTC.
             */
            filledAt: string;
        };
        Finding: {
            /**
             * @description What was checked.
             * @enum {string}
             */
            check: "trial_balance" | "account_balance" | "order_terms" | "order_money" | "order_fills" | "position_quantity" | "position_cost" | "position_holdings" | "settlement_once" | "settlement_due" | "settlement_amount" | "wallet_balance" | "exposure" | "period_window" | "closed_period" | "collateral_statement" | "cash_statement" | "orphan_hold" | "order_unresolved" | "venue_agreement" | "venue_evidence" | "webhook_due" | "webhook_stuck" | "feed_gap" | "log_behind";
            /**
             * @description `critical` needs a person.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            /** @description What was found, for people. */
            detail: string;
            /**
             * @description `user` is the operator's id of a customer, `record` an id of ours.
             * @enum {string}
             */
            subjectType: "user" | "record";
            /** @description What it is about. */
            subjectId: string;
        };
        FrameAccount: {
            /**
             * @description All booked amounts are US dollars.
             * @constant
             */
            currency: "USD";
            /** @description Fee rate of the operator in basis points, for estimates; a quote states the fee. */
            platformFeeBps: number;
            /** @description What can be used now. */
            available: string | null;
            /** @description The most that one buy can stake now; null if nothing limits it. */
            largestStake: {
                /** @description The lowest of the limits and of the simulated balance. Exact decimal string in US dollars. */
                amount: string;
                /**
                 * @description What a larger stake is refused with.
                 * @enum {string}
                 */
                limit: "over_wager_limit" | "over_period_limit" | "over_order_limit" | "simulation_not_permitted" | "insufficient_funds";
            } | null;
            /** @description False where the customer’s jurisdiction is not permitted. */
            mayBuy: boolean;
            /** @description The same for exits, which the operator may allow everywhere. */
            maySell: boolean;
        };
        FrameHoldings: {
            /** @description Fee rate of the operator in basis points, for estimates. */
            platformFeeBps: number;
            /** @description The latest 200, newest first. */
            positions: components["schemas"]["Position"][];
            /** @description The latest 200, newest first. */
            settlements: components["schemas"]["Settlement"][];
            /** @description The events of these positions that are still in the catalogue, each with the outcomes that are held. */
            events: components["schemas"]["Event"][];
        };
        JurisdictionAssertion: {
            /** @description The operator's own id of the customer. */
            userId: string;
            /** @description Where the customer is. */
            jurisdiction: {
                /** @description Two letters, as ISO 3166-1 assigns them. */
                country: string;
                /** @description The part after the hyphen of an ISO 3166-2 code, one to three letters or digits; or null. */
                subdivision: string | null;
            } | null;
            /** @description When the operator stated it. */
            assertedAt: string | null;
            /** @description Who stated it. */
            assertedSource: ("api" | "embed_session") | null;
            /** @description Country seen by a trusted proxy, or null. */
            observedCountry: string | null;
            /** @description When it was observed. */
            observedAt: string | null;
            /** @description Whether the stated and the observed country differ. */
            mismatch: boolean | null;
        };
        LedgerPosted: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description The exact instruction, as decimal strings. */
            money: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Amount of the movement. Exact decimal string in US dollars. */
                amount: string;
                /** @description Postings of the ledger entry. */
                lines: {
                    /** @description The account. */
                    accountId: string;
                    /** @description Debited. Exact decimal string in US dollars. */
                    debit: string;
                    /** @description Credited. Exact decimal string in US dollars. */
                    credit: string;
                }[];
            };
            /** @description What this type of record adds. */
            detail: {
                /** @description Kind of the movement. */
                movementType: string;
                /** @description For people. */
                memo: string;
                /** @description Kind of what caused it. */
                referenceType: string;
                /** @description Id of what caused it. */
                referenceId: string;
                /** @description Always null: no entry corrects another. */
                correctsEntryId: string | null;
                /**
                 * Format: date-time
                 * @description The date that it belongs to, if that is not `occurredAt`. ISO-8601, UTC.
                 */
                effectiveAt?: string;
            };
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
            /** @description Items in the log when the key took over: it signs checkpoints of more items. */
            size: number;
            /** @description Verifier key before; null if it was lost and could not sign. */
            previousKey: string | null;
            /** @description The verifier key that took over. */
            verifierKey: string;
            /** @description The key before was given up because others may have it. */
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
        Order: {
            /** @description Id of the order. */
            orderId: string;
            /** @description The operator's id; the idempotency key. */
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
            /** @description Held: what the customer owns of this order. Contracts, to six places. */
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
            /** @description Why it was rejected; null unless `status` is `rejected`. */
            rejectReason: string | null;
            /** @description Why it was cancelled: the code for which the service withdrew it, `operator_request` after a cancel call, `closed_unfilled` where the venue closed it. Null unless `status` is `cancelled`. */
            cancelReason: string | null;
            /** @description True where fills are produced by the service itself. */
            simulated: boolean;
            /**
             * Format: date-time
             * @description When it was accepted. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description True where this answer replays an order that was there. */
            idempotentReplay: boolean;
            /** @description How the venue was chosen. */
            routing: {
                /**
                 * @description How the book was chosen.
                 * @enum {string}
                 */
                reason: "single_venue" | "best_price" | "unverified_group";
                /** @description Number of books looked at. */
                consideredVenues: number;
            };
            /**
             * @description `settled` once the money is final.
             * @enum {string}
             */
            settlementState: "settled" | "pending";
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /** @description Money of a buy; null on a sell. */
            operatorMoney: {
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
                /** @description Spent on contracts. Exact decimal string in US dollars. */
                tradeAmount: string;
                /** @description The platform's fee. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
            /** @description Money of a sell, of the fills whose venue fee is known; null on a buy. */
            operatorExitMoney: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                sellProceeds: string;
                /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
        };
        OrderDetail: {
            /** @description Id of the order. */
            orderId: string;
            /** @description The operator's id; the idempotency key. */
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
            /** @description Held: what the customer owns of this order. Contracts, to six places. */
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
            /** @description Why it was rejected; null unless `status` is `rejected`. */
            rejectReason: string | null;
            /** @description Why it was cancelled: the code for which the service withdrew it, `operator_request` after a cancel call, `closed_unfilled` where the venue closed it. Null unless `status` is `cancelled`. */
            cancelReason: string | null;
            /** @description True where fills are produced by the service itself. */
            simulated: boolean;
            /**
             * Format: date-time
             * @description When it was accepted. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description True where this answer replays an order that was there. */
            idempotentReplay: boolean;
            /** @description How the venue was chosen. */
            routing: {
                /**
                 * @description How the book was chosen.
                 * @enum {string}
                 */
                reason: "single_venue" | "best_price" | "unverified_group";
                /** @description Number of books looked at. */
                consideredVenues: number;
            };
            /**
             * @description `settled` once the money is final.
             * @enum {string}
             */
            settlementState: "settled" | "pending";
            /**
             * @description Whether a venue may have the order.
             * @enum {string}
             */
            transmissionState: "not_transmitted" | "unknown" | "resolved";
            /** @description Money of a buy; null on a sell. */
            operatorMoney: {
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
                /** @description Spent on contracts. Exact decimal string in US dollars. */
                tradeAmount: string;
                /** @description The platform's fee. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
            /** @description Money of a sell, of the fills whose venue fee is known; null on a buy. */
            operatorExitMoney: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                sellProceeds: string;
                /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
            /** @description On a single read and a `clientOrderId` look-up. */
            intent?: components["schemas"]["OrderIntent"];
            /** @description With `?fills=true` only. */
            fills?: components["schemas"]["Fill"][];
        };
        OrderFilled: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description Order money is on `order.state_changed`. */
            money: null;
            /** @description What this type of record adds. */
            detail: {
                /** @description Of this fill. Contracts, to six places. */
                quantity: number;
                /** @description Of this fill. Dollars a contract, 0 to 1. */
                price: number;
                /**
                 * @description Side of the contract.
                 * @enum {string}
                 */
                side: "YES" | "NO";
                /** @description Support reference of the order. */
                executionRef: string;
            };
        };
        OrderHistory: {
            /** @description The order with its intent and its fills. */
            order: components["schemas"]["OrderDetail"];
            /** @description The state of the customer's money, in words for the customer. */
            sentence: string;
            /** @description Oldest first. */
            timeline: {
                /**
                 * Format: date-time
                 * @description When it happened. ISO-8601, UTC.
                 */
                at: string;
                /** @description Type of the feed item, or `quote.issued`, `reserve.confirmed`, `transmission.sent`, `transmission.answered`, `venue.evidence` or `webhook.attempted`. */
                type: string;
                /** @description One sentence for people. */
                text: string;
                /** @description The money of the feed item, as the feed has it; absent if it has none. */
                money?: {
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
                    /** @description Spent on contracts. Exact decimal string in US dollars. */
                    tradeAmount: string;
                    /** @description The platform's fee. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                    sellProceeds: string;
                    /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Credit a winner with this. Exact decimal string in US dollars. */
                    settlementCredit: string;
                    /** @description Credit a void with this: a full refund, or a split payout. Exact decimal string in US dollars. */
                    voidCredit: string;
                } | {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Amount of the movement. Exact decimal string in US dollars. */
                    amount: string;
                    /** @description Collateral after the movement. Exact decimal string in US dollars. */
                    balanceAfter: string;
                    /** @description Of which committed to orders. Exact decimal string in US dollars. */
                    committedAfter: string;
                } | {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Amount of the movement. Exact decimal string in US dollars. */
                    amount: string;
                    /** @description Postings of the ledger entry. */
                    lines: {
                        /** @description The account. */
                        accountId: string;
                        /** @description Debited. Exact decimal string in US dollars. */
                        debit: string;
                        /** @description Credited. Exact decimal string in US dollars. */
                        credit: string;
                    }[];
                } | {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Amount of the movement. Exact decimal string in US dollars. */
                    amount: string;
                };
            }[];
            /** @description What your own ledger should hold for the order, one amount for each type and key. */
            instructions: {
                /**
                 * Format: date-time
                 * @description When the operator was told this amount first. ISO-8601, UTC.
                 */
                at: string;
                /**
                 * @description What to do in your own ledger.
                 * @enum {string}
                 */
                type: "hold" | "debit" | "release" | "credit";
                /** @description All of it that was told so far. Exact decimal string in US dollars. */
                amount: string;
                /** @description Book it once under this key: the `orderId`, or the `stl_` id of the settlement of the whole position. */
                key: string;
            }[];
            /** @description The deliveries of its events and of the settlement of its position, oldest first. */
            webhooks: components["schemas"]["WebhookDelivery"][];
        };
        /** @description The reserve confirmation and, once withdrawn, the release instruction. */
        OrderIntent: {
            /**
             * Format: date-time
             * @description When the order was recorded. ISO-8601, UTC.
             */
            recordedAt: string;
            /** @description When the operator confirmed its reserve; null before. */
            reserveConfirmedAt: string | null;
            /** @description The operator's reference of its reserve. */
            reserveReference: string | null;
            /** @description Of the cancellation, once withdrawn. */
            cancellationId: string | null;
            /** @description What to give back. */
            releaseAmount: string | null;
            /** @description When the order was withdrawn; null if it was not. */
            cancelledAt: string | null;
            /** @description The same as `cancelReason`. */
            reason: string | null;
        };
        OrderPage: {
            /** @description Newest first; `intent` only on a `clientOrderId` look-up. */
            orders: components["schemas"]["OrderDetail"][];
            /** @description Items on this page. */
            count: number;
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        OrderStateChanged: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description What a read of a buy shows at that moment; null for a sell. */
            money: {
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
                /** @description Spent on contracts. Exact decimal string in US dollars. */
                tradeAmount: string;
                /** @description The platform's fee. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
            /** @description What this type of record adds. */
            detail: {
                /** @description Null at creation. */
                fromState: ("reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending") | null;
                /**
                 * @description The state reached; equal where only money or transmission moved.
                 * @enum {string}
                 */
                toState: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
                /** @description Why, where there is more to say. `rest_below_venue_step`: a sell left contracts over that are fewer than the venue trades; they stay in the position. */
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
                /** @description True where fills are produced by the service itself. */
                simulated: boolean;
                /** @description Support reference of the order. */
                executionRef: string;
                /**
                 * @description `money` is final exactly when this is `settled`; book it then, and nothing before.
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
        };
        Outcome: {
            /** @description The id in the path or of this record. */
            id: string;
            /** @description Text for display. */
            label: string;
            /** @description The original, where the label was translated */
            sourceLabel?: string;
            /** @description Crest of the team, or null. */
            teamLogoUrl: string | null;
            /** @description Colour of the team as `#rrggbb`, or null. */
            teamColor: string | null;
            /** @description Colours of the team, or null. */
            teamMarks: string[] | null;
            /** @description Short name of the team, or null. */
            teamAbbr: string | null;
            /** @description Reference, 0 to 1; once decided, what a contract of YES is worth, null after VOID */
            probability: number | null;
            /** @description Reference in cents, not rounded */
            yesCents: number | null;
            /** @description Reference in cents, not rounded */
            noCents: number | null;
            /** @description What a buy of YES costs; null shows no price */
            executableYesCents: number | null;
            /** @description What a buy of NO costs; null shows no price */
            executableNoCents: number | null;
            /** @description True exactly when either executable price is non-null */
            tradable: boolean;
            /** @description True once trading has stopped, whatever the status. */
            tradingClosed: boolean;
            /** @description Word for the YES side; null for "Yes". */
            yesLabel: string | null;
            /** @description Word for the NO side; null for "No". */
            noLabel: string | null;
            /** @description Kind of sports contract, such as `moneyline`; null otherwise. */
            sportsMarketType: string | null;
            /** @description Ask less bid in cents; null without both. */
            spreadCents: number | null;
            /**
             * @description Where the reference comes from.
             * @enum {string}
             */
            priceBasis: "midpoint" | "last" | "source" | "none";
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            priceUpdatedAt: string;
            /**
             * @description How the price arrived.
             * @enum {string}
             */
            priceFeed: "websocket" | "rest";
            /**
             * @description State of this record.
             * @enum {string}
             */
            status: "open" | "closed" | "paused" | "resolved" | "voided";
            /**
             * @description How the outcome was decided; not there while it is open
             * @enum {string}
             */
            resolution?: "YES" | "NO" | "VOID" | "SPLIT";
            /** @description Parsed strike, or null. */
            threshold: number | null;
            /** @description Which side of the strike pays; null is unknown. */
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
             * @description `closed` was exited whole.
             * @enum {string}
             */
            status: "open" | "closed" | "settled";
            /** @description Still held. Contracts, to six places. */
            quantity: number;
            /** @description Volume-weighted over the entries, without fees. Dollars a contract, 0 to 1. */
            averagePrice: number;
            /**
             * Format: date-time
             * @description First fill. ISO-8601, UTC.
             */
            openedAt: string;
            /**
             * Format: date-time
             * @description Last change. ISO-8601, UTC.
             */
            updatedAt: string;
            /** @description Exact amounts for the operator's ledger. */
            operatorMoney: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Cash spent on what is still held, fees included. Exact decimal string in US dollars. */
                costBasis: string;
                /** @description Profit booked on what was closed. Exact decimal string in US dollars. */
                realisedPnl: string;
            };
        };
        PositionExited: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description What to do in your own ledger for a sell. An exit never debits. */
            money: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                sellProceeds: string;
                /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            };
            /** @description What this type of record adds. */
            detail: {
                /**
                 * @description Side of the contract.
                 * @enum {string}
                 */
                side: "YES" | "NO";
                /** @description Sold. Contracts, to six places. */
                quantity: number;
                /** @description Still held. Contracts, to six places. */
                quantityRemaining: number;
                /** @description Of the exit. Dollars a contract, 0 to 1. */
                exitPrice: number;
                /** @description Average of the entries. Dollars a contract, 0 to 1. */
                entryPrice: number;
                /** @description True where fills are produced by the service itself. */
                simulated: boolean;
                /** @description Whether the venue says the same; null is unknown. */
                venueAgrees: boolean | null;
                /** @description Whether the venue's fee is what was taken. */
                venueFeeKnown: boolean;
                /** @description Cost of what was sold, fees included. Exact decimal string in US dollars. */
                costBasis: string;
                /** @description Entry fees in that cost. Exact decimal string in US dollars. */
                entryFeeShare: string;
                /** @description Proceeds less that cost. Exact decimal string in US dollars. */
                realisedPnl: string;
                /** @description Support reference of the order. */
                executionRef: string;
                /** @description The `ctr_` id. */
                contractId: string;
            };
        };
        PositionPage: {
            /** @description Newest first. */
            positions: components["schemas"]["Position"][];
            /** @description Items on this page. */
            count: number;
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        PositionSettled: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description What to credit for a settlement. At most one amount is not zero; a loss zeroes both. */
            money: {
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
            /** @description What this type of record adds. */
            detail: {
                /**
                 * @description How the contract resolved.
                 * @enum {string}
                 */
                resolution: "YES" | "NO" | "VOID" | "SPLIT";
                /**
                 * @description Side of the contract.
                 * @enum {string}
                 */
                side: "YES" | "NO";
                /** @description Settled. Contracts, to six places. */
                contracts: number;
                /** @description Profit of this settlement. Exact decimal string in US dollars. */
                realisedPnl: string;
                /** @description Running total of the position. Exact decimal string in US dollars. */
                lifetimeRealisedPnl: string;
                /**
                 * @description How it ended for the position.
                 * @enum {string}
                 */
                outcome: "won" | "lost" | "void";
                /** @description The `ctr_` id. */
                contractId: string;
            };
        };
        Price: {
            /** @description The `ctr_` id. */
            contractId: string;
            /** @description Read this before rendering a price */
            tradeable: boolean;
            /** @description True once trading has stopped, whatever the status. */
            tradingClosed: boolean;
            /** @description Reference, 0 to 1; once decided, what a contract of YES is worth, null after VOID */
            probability: number | null;
            /** @description Reference in cents, not rounded */
            yesCents: number | null;
            /** @description Reference in cents, not rounded */
            noCents: number | null;
            /** @description What a buy of YES costs; null shows no price */
            executableYesCents: number | null;
            /** @description What a buy of NO costs; null shows no price */
            executableNoCents: number | null;
            /** @description Ask less bid in cents; null without both. */
            spreadCents: number | null;
            /**
             * @description Where the reference comes from.
             * @enum {string}
             */
            priceBasis: "midpoint" | "last" | "source" | "none";
            /**
             * Format: date-time
             * @description ISO-8601 UTC
             */
            priceUpdatedAt: string;
            /**
             * @description How the outcome was decided; not there while it is open
             * @enum {string}
             */
            resolution?: "YES" | "NO" | "VOID" | "SPLIT";
        };
        PriceSnapshot: {
            /** @description Contracts. */
            contracts: components["schemas"]["Price"][];
            /** @description Ids asked for that do not exist or are not offered */
            unknown: string[];
        };
        Quote: {
            /** @description Spendable once. */
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
            /** @description What a fill costs. Dollars a contract, 0 to 1. */
            executionPrice: number;
            /** @description What the price was read from, e.g. `book`. */
            priceBasis: string;
            /** @description Dollars, for display. */
            stake: number | null;
            /** @description The platform's fee in dollars. For display, never booked. */
            platformFee: number;
            /** @description The platform's fee rate in basis points. */
            platformFeeBps: number;
            /** @description Stake less fee of a buy, notional of a sell. For display, never booked. */
            tradeAmount: number;
            /** @description Bought or sold. Contracts, to six places. */
            contracts: number;
            /** @description What a winner pays, or the proceeds of a sell. For display, never booked. */
            potentialPayout: number;
            /**
             * Format: date-time
             * @description End of the hold. ISO-8601, UTC.
             */
            expiresAt: string;
            /** @description True where fills are produced by the service itself. */
            simulated: boolean;
            /** @description How old the price is. */
            freshness: {
                /**
                 * @description Up to 5 s, up to 30 s, up to 120 s.
                 * @enum {string}
                 */
                level: "live" | "recent" | "aged";
                /** @description Since the price was last confirmed. */
                ageSeconds: number;
                /**
                 * @description How the price came in.
                 * @enum {string}
                 */
                feed: "websocket" | "rest";
            };
            /** @description How the venue was chosen. */
            routing: {
                /** @description Number of books looked at. */
                consideredVenues: number;
                /** @description True once a person verified the group as equivalent. */
                routable: boolean;
            };
            /** @description Money of a buy; null on a sell. */
            operatorMoney: {
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
                /** @description Spent on contracts. Exact decimal string in US dollars. */
                tradeAmount: string;
                /** @description The platform's fee. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
            /** @description Money of a sell; null on a buy. */
            operatorExitMoney: {
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                sellProceeds: string;
                /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                platformFee: string;
                /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                venueFee: string;
                /** @description Whether `venueFee` is what was taken. */
                venueFeeKnown: boolean;
            } | null;
        };
        Report: {
            /**
             * Format: date-time
             * @description When the checks ran. ISO-8601, UTC.
             */
            ranAt: string;
            /**
             * Format: date-time
             * @description Start of what was looked at; by default the accounting epoch. ISO-8601, UTC.
             */
            from: string;
            /** @description How far the auditor had read the journal: at least everything that was recorded when the report was asked for. */
            restsOn: {
                /** @description The last item of the feed that the auditor had read. */
                sequence: number;
                /**
                 * Format: date-time
                 * @description When it had read it. ISO-8601, UTC.
                 */
                auditedAt: string;
            };
            /** @description False where at least one finding is critical. */
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
            /** @description How much the report read. */
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
                /** @description Exits compared. */
                exits: number;
                /** @description Of which agree. */
                agrees: number;
                /** @description Of which disagree. */
                disagrees: number;
                /** @description Of which nothing is known; no disagreement. */
                unknown: number;
            };
            /** @description Empty where all is well. */
            findings: components["schemas"]["Finding"][];
        };
        ResolutionAnswer: {
            /** @description The position. */
            positionId: string;
            /**
             * @description As asked.
             * @enum {string}
             */
            resolution: "WIN" | "LOSS" | "VOID";
            /** @description Whether the same was asked before. */
            alreadyRequested: boolean;
            /** @description Whether the settlement is written. */
            settled: boolean;
            /** @description Why it is not settled yet, else null. */
            reason: string | null;
        };
        RevokedSession: {
            /** @description Id of the embed session. */
            sessionId: string;
            /** @description When the session was ended. */
            revokedAt: string;
        };
        Scenario: {
            /** @description Id of the scenario. */
            scenarioId: string;
            /**
             * @description What the order meets.
             * @constant
             */
            kind: "partial_fill";
            /** @description Share that fills; null where an amount was given. */
            fillFraction: number | null;
            /** @description Null where a fraction was given. */
            fillAmount: string | null;
            /** @description The order it waits for; null is the next one. */
            clientOrderId: string | null;
            /**
             * Format: date-time
             * @description One hour after it was armed. ISO-8601, UTC.
             */
            expiresAt: string;
        };
        ScenarioList: {
            /** @description Armed, not fired, not expired. */
            scenarios: components["schemas"]["Scenario"][];
        };
        Settlement: {
            /** @description Stable; key your credit on it. */
            id: string;
            /** @description The position that settled; each settles once. */
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
             * @description How the contract resolved.
             * @enum {string}
             */
            resolution: "YES" | "NO" | "VOID" | "SPLIT";
            /**
             * @description `void` is an annulment or a split payout.
             * @enum {string}
             */
            outcome: "won" | "lost" | "void";
            /** @description Settled. Contracts, to six places. */
            contracts: number;
            /** @description Profit of this settlement: credit less cost basis. Exact decimal string in US dollars. */
            realisedPnl: string;
            /** @description Running total of the position. Exact decimal string in US dollars. */
            lifetimeRealisedPnl: string;
            /**
             * Format: date-time
             * @description When it was settled. ISO-8601, UTC.
             */
            settledAt: string;
            /** @description What to credit for a settlement. At most one amount is not zero; a loss zeroes both. */
            operatorMoney: {
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
            /** @description Resumes right after this settlement. */
            cursor: string;
            /** @description True where fills are produced by the service itself. */
            simulated: boolean;
        };
        SettlementPage: {
            /** @description Oldest first. */
            settlements: components["schemas"]["Settlement"][];
            /** @description Items on this page. */
            count: number;
            /** @description Resumes after this page, also at the end; stop on `hasMore`. */
            nextCursor: string;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        Statement: {
            /**
             * @description Whose money the statement is about.
             * @enum {string}
             */
            side: "hosted" | "operator_collateral";
            /** @description Read before `reconciled`: zero accounts reconcile trivially. */
            accountsInScope: number;
            /** @description At `from`. Exact decimal string in US dollars. */
            opening: string;
            /** @description At `ranAt`, as the accounts say. Exact decimal string in US dollars. */
            ending: string;
            /** @description Opening and movements. Exact decimal string in US dollars. */
            expectedEnding: string;
            /** @description Ending less expected ending. Exact decimal string in US dollars. */
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
            /** @description For people. */
            memo: string;
            /** @description Signed; all of them sum to `total` of the balance. Exact decimal string in US dollars. */
            amount: string;
            /** @description Of the wallet. Exact decimal string in US dollars. */
            balanceAfter: string;
            /**
             * Format: date-time
             * @description When it was recorded. ISO-8601, UTC.
             */
            occurredAt: string;
            /** @description Kind of what caused it. */
            referenceType: string;
            /** @description Id of what caused it. */
            referenceId: string;
        };
        WalletPage: {
            /** @description Entries, newest first. */
            entries: components["schemas"]["WalletEntry"][];
            /** @description Items on this page. */
            count: number;
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        WebhookDelivery: {
            /** @description Id of the delivery. */
            deliveryId: string;
            /** @description The endpoint that it goes to. */
            endpointId: string;
            /** @description The `id` of the event. */
            eventId: string;
            /** @description Type of the event. */
            type: string;
            /** @description The order that the event is about; null if it is about none. */
            orderId: string | null;
            /**
             * @description `exhausted` was given up, and can be sent again.
             * @enum {string}
             */
            status: "pending" | "delivered" | "exhausted";
            /**
             * Format: date-time
             * @description When it was queued. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description The attempts that are still kept, oldest first. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When it began. ISO-8601, UTC.
                 */
                at: string;
                /** @description HTTP status of the response; null if there was none. */
                status: number | null;
                /** @description How long it took, in milliseconds. */
                ms: number;
                /** @description Why it failed; null if it was acknowledged. */
                error: string | null;
            }[];
        };
        WebhookDeliveryPage: {
            /** @description Newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Where the next page begins; null at the end. */
            nextCursor: string | null;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        WebhookEmitted: {
            /** @description The underlying fact's own id. */
            id: string;
            /** @description Resumes right after this item. */
            cursor: string;
            /** @description Number of the item in the operator’s feed: dense, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When the fact was recorded. ISO-8601, UTC.
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
            /** @description None. */
            money: null;
            /** @description What this type of record adds. */
            detail: {
                /** @description Type of the event. */
                eventType: string;
                /** @description Its key; compare whole. */
                dedupeKey: string;
            };
        };
        WebhookEndpointList: {
            /** @description Oldest first. */
            endpoints: {
                /** @description Id of the endpoint. */
                endpointId: string;
                /** @description Where its events are sent. */
                url: string;
                /** @description The types that it takes. */
                events: ("order.intent_recorded" | "order.filled" | "order.rejected" | "order.completed" | "order.cancelled" | "position.settled" | "market.resolution_changed")[];
                /** @description Whether events are sent to it. */
                enabled: boolean;
                /** @description `gone` if it answered 410, `operator` if it was disabled by hand; null while it is enabled. */
                disabledReason: ("operator" | "gone") | null;
                /**
                 * Format: date-time
                 * @description When it was registered. ISO-8601, UTC.
                 */
                createdAt: string;
            }[];
        };
        WebhookEvent: {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.intent_recorded";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description A live order was recorded and nothing was sent. Reserve and hold. */
            data: {
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
        } | {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.filled";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description One event per fill. Book the difference of `operatorMoney` to what was applied before. */
            data: {
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
                /** @description Of this fill. Contracts, to six places. */
                fillQuantity: number;
                /** @description Of this fill. Dollars a contract, 0 to 1. */
                fillPrice: number;
                /** @description Of the order to date. Contracts, to six places. */
                filledQuantity: number;
                /** @description Of the order to date. Dollars a contract, 0 to 1. */
                averagePrice: number;
                /**
                 * @description State of this record.
                 * @enum {string}
                 */
                status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
                /**
                 * @description Whether a venue may have the order.
                 * @enum {string}
                 */
                transmissionState: "not_transmitted" | "unknown" | "resolved";
                /** @description Cumulative for the order; null on a sell. */
                operatorMoney: {
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
                    /** @description Spent on contracts. Exact decimal string in US dollars. */
                    tradeAmount: string;
                    /** @description The platform's fee. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | null;
                /** @description Cumulative, of the fills whose venue fee is known: it only grows. Null on a buy. */
                operatorExitMoney: {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                    sellProceeds: string;
                    /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | null;
                /** @description True where fills are produced by the service itself. */
                simulated: boolean;
                /** @description 1, 2, ...: keep the highest applied, ignore a lower one. */
                fillSequence?: number;
                /** @description Whether less is matched than was asked. */
                partial?: boolean;
                /** @description True exactly when `transmissionState` is `resolved`. */
                final?: boolean;
                /** @description Itemisation of this fill only; book from `operatorMoney`. */
                fillMoney?: {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Spent on, or received for, the contracts of this fill. Exact decimal string in US dollars. */
                    tradeAmount: string;
                    /** @description The platform's fee on this fill. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took on this fill. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description False while a venue fee is still being read; it is not in `venueFee` yet. */
                    venueFeeKnown: boolean;
                    /** @description What to take from the customer; null on a sell. */
                    actualDebit: string | null;
                    /** @description What to credit for a sell, net of fees; null on a buy. */
                    sellProceeds: string | null;
                };
            };
        } | {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.rejected";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description The order was refused; nothing was filled. */
            data: {
                /** @description Id of the order. */
                orderId: string;
                /** @description Stable support reference. */
                executionRef: string;
                /** @description The operator's own id of the customer. */
                externalUserId: string;
                /** @description The operator's id of the order. */
                clientOrderId: string;
                /** @description Why, for people. */
                reason: string;
                /** @description The whole authorization as `releaseAmount`; null on a sell. */
                operatorMoney: {
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
                    /** @description Spent on contracts. Exact decimal string in US dollars. */
                    tradeAmount: string;
                    /** @description The platform's fee. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | null;
            };
        } | {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.completed";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description The money of an order is final that was not with the venue’s first answer. Once per order. */
            data: {
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
                 * @description State of this record.
                 * @enum {string}
                 */
                status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
                /**
                 * @description How much was filled in the end.
                 * @enum {string}
                 */
                outcome: "complete" | "closed_partial" | "closed_unfilled";
                /** @description Held in the end. Contracts, to six places. */
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
                 * @description The money is final.
                 * @constant
                 */
                final: true;
                /** @description Whether less is matched than was asked. */
                partial: boolean;
                /** @description Cumulative for the order; null on a sell. */
                operatorMoney: {
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
                    /** @description Spent on contracts. Exact decimal string in US dollars. */
                    tradeAmount: string;
                    /** @description The platform's fee. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | null;
                /** @description Cumulative, of the fills whose venue fee is known: it only grows. Null on a buy. */
                operatorExitMoney: {
                    /**
                     * @description All booked amounts are US dollars.
                     * @constant
                     */
                    currency: "USD";
                    /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                    sellProceeds: string;
                    /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                    platformFee: string;
                    /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                    venueFee: string;
                    /** @description Whether `venueFee` is what was taken. */
                    venueFeeKnown: boolean;
                } | null;
                /** @description Hand this back. Exact decimal string in US dollars. */
                releaseAmount: string;
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description True where fills are produced by the service itself. */
                simulated: boolean;
            };
        } | {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "order.cancelled";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description An untransmitted order was withdrawn. */
            data: {
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
                /** @description Idempotency key of the release; the `orderId` names the same one. */
                cancellationId: string;
                /**
                 * @description All booked amounts are US dollars.
                 * @constant
                 */
                currency: "USD";
                /** @description What was held; of a sell nothing is. Exact decimal string in US dollars. */
                authorizationAmount: string;
                /**
                 * @description What to take from the customer; null on a sell.
                 * @constant
                 */
                actualDebit: "0.00";
                /** @description Give this back. Exact decimal string in US dollars. */
                releaseAmount: string;
                /** @description Why, for people. */
                reason: string | null;
                /** @description Whether anything was sent to a venue. */
                transmitted: boolean;
            };
        } | {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "position.settled";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description A position settled: the same fact as in the settlements register. */
            data: {
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
                 * @description How the contract resolved.
                 * @enum {string}
                 */
                resolution: "YES" | "NO" | "VOID" | "SPLIT";
                /**
                 * @description How it ended for the position.
                 * @enum {string}
                 */
                outcome: "won" | "lost" | "void";
                /** @description Settled. Contracts, to six places. */
                contracts: number;
                /** @description Cash spent on what was held. Exact decimal string in US dollars. */
                costBasis: string;
                /** @description Fees in the cost basis. Exact decimal string in US dollars. */
                entryFees: string;
                /** @description What the settlement pays. Exact decimal string in US dollars. */
                payout: string;
                /** @description Of this settlement. Exact decimal string in US dollars. */
                realisedPnl: string;
                /** @description Of the position since it opened. Exact decimal string in US dollars. */
                lifetimeRealisedPnl: string;
                /** @description What to credit for a settlement. At most one amount is not zero; a loss zeroes both. */
                operatorMoney: {
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
                /** @description True where fills are produced by the service itself. */
                simulated: boolean;
            };
        } | {
            /** @description The same on each attempt. */
            id: string;
            /**
             * @description Type of this record.
             * @constant
             */
            type: "market.resolution_changed";
            /** @description One per fact. Opaque: compare it whole. */
            dedupeKey: string;
            /**
             * Format: date-time
             * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
             */
            createdAt: string;
            /** @description A resolution changed after positions settled. No money moves by itself. */
            data: {
                /** @description The `ctr_` id. */
                contractId: string;
                /**
                 * @description What was paid.
                 * @enum {string}
                 */
                settledResolution: "YES" | "NO" | "VOID" | "SPLIT";
                /** @description What holds now; null when withdrawn. */
                currentResolution: ("YES" | "NO" | "VOID" | "SPLIT") | null;
                /** @description Positions that were paid by the earlier resolution. */
                affectedPositionIds?: string[];
                /** @description The first of them. */
                affectedPositionId: string;
                /**
                 * @description A person looks at it.
                 * @constant
                 */
                action: "operator_review_required";
            };
        };
        WebhookEventPage: {
            /** @description Oldest first, each as it is delivered. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description Resumes after this page, also at the end; stop on `hasMore`. */
            nextCursor: string;
            /** @description Whether there is more after this page. */
            hasMore: boolean;
        };
        Whoami: {
            /** @description Id of the key. */
            keyId: string;
            /** @description The operator acted for: the holder of the key, or the child that the header names. */
            operatorId: string;
            /** @description The operator that holds the key. */
            holderId: string;
            /** @description Slug of the operator acted for. */
            slug: string;
            /** @description Its name. */
            name: string;
            /**
             * @description Its mode.
             * @enum {string}
             */
            mode: "sandbox" | "live";
            /** @description What the key may do. */
            scopes: string[];
            /** @description Platform fee in basis points. */
            platformFeeBps: number;
            /** @description Whether the service operator has paused trading. */
            tradingPaused: boolean;
            /** @description Budget of the key. */
            rateLimit: {
                /** @description Requests a minute. */
                limit: number;
                /** @description Left in this minute. */
                remaining: number;
                /** @description Seconds until the minute ends. */
                resetSeconds: number;
            } | null;
            /**
             * Format: date-time
             * @description When this was answered. ISO-8601, UTC.
             */
            timestamp: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests a minute that the key, or the session, may make. */
        "RateLimit-Limit": number;
        /** @description What is left of them in this minute. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the next minute begins. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait before the request is sent again. */
        "Retry-After": number;
        /** @description Send it as `If-None-Match`: 304 if nothing has changed. */
        ETag: string;
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "database": "up",
                     *       "markets": {
                     *         "total": 1,
                     *         "open": 1,
                     *         "resolved": 1
                     *       },
                     *       "stream": {
                     *         "running": true,
                     *         "subscriptions": 1,
                     *         "openContracts": 1,
                     *         "streamPricedContracts": 1,
                     *         "restPricedContracts": 1
                     *       },
                     *       "pricing": {
                     *         "houseEdgeBps": 1,
                     *         "maxUsableSpread": 0.57
                     *       },
                     *       "timestamp": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description State of this record.
                         * @enum {string}
                         */
                        status: "ok" | "degraded" | "starting" | "unhealthy";
                        /**
                         * @description Whether the database answers.
                         * @enum {string}
                         */
                        database: "up" | "down";
                        /** @description Markets in the catalogue. */
                        markets: {
                            /** @description All of them. */
                            total: number;
                            /** @description Open ones. */
                            open: number;
                            /** @description Resolved ones. */
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
                         * @description Time of the answer.
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
                /** @description A category of /categories */
                category?: string;
                /** @description Sport slug; a family slug rolls up */
                sport?: string;
                /** @description League slug, narrowing within the sport */
                league?: string;
                /** @description Free text over title, subtitle and outcome labels; its first eight different words */
                search?: string;
                /** @description Order of the list. */
                sort?: "trending" | "volume" | "closing-soon" | "new";
                /** @description Ascending or descending. */
                dir?: "asc" | "desc";
                /** @description How many at most. */
                limit?: number;
                /** @description en, es, pt or hr; anything else is English */
                locale?: string;
                /** @description true: at least one executable side */
                tradable?: "true" | "false";
                /** @description ISO-8601, inclusive; a date alone is its midnight UTC */
                closesAfter?: string;
                /** @description ISO-8601, inclusive; a date alone is its midnight UTC */
                closesBefore?: string;
                /** @description Opaque; bound to sort and dir */
                cursor?: string;
            };
            header?: {
                /** @description The operator's own id of the customer. */
                "X-Service-User"?: string;
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *           "slug": "will-it-rain-tomorrow",
                     *           "title": "Will it rain tomorrow?",
                     *           "sourceTitle": "Will it rain tomorrow?",
                     *           "subtitle": null,
                     *           "category": "politics",
                     *           "categories": [
                     *             "politics"
                     *           ],
                     *           "sport": null,
                     *           "league": null,
                     *           "eventType": "game",
                     *           "liveMatch": {
                     *             "homeScore": 0.57,
                     *             "awayScore": 0.57,
                     *             "period": null,
                     *             "clock": null,
                     *             "observedAt": "2026-11-22T18:00:00.000Z"
                     *           },
                     *           "imageUrl": "/api/v1/images/evt_kh3s9565rfj356sj9vr90ec5h2",
                     *           "kind": "binary",
                     *           "outcomeCount": 1,
                     *           "impliedLevel": 0.57,
                     *           "impliedLevelLabel": null,
                     *           "closesAt": "2026-11-22T18:00:00.000Z",
                     *           "opensAt": "2026-11-22T18:00:00.000Z",
                     *           "updatedAt": "2026-11-22T18:00:00.000Z",
                     *           "volume": 18250,
                     *           "volume24h": 1240,
                     *           "volumeContracts": 18250,
                     *           "volume24hContracts": 1240,
                     *           "status": "open",
                     *           "outcomes": [
                     *             {
                     *               "id": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *               "label": "Yes",
                     *               "sourceLabel": "text",
                     *               "teamLogoUrl": null,
                     *               "teamColor": null,
                     *               "teamMarks": null,
                     *               "teamAbbr": null,
                     *               "probability": 0.57,
                     *               "yesCents": 57,
                     *               "noCents": 43,
                     *               "executableYesCents": 58,
                     *               "executableNoCents": 44,
                     *               "tradable": true,
                     *               "tradingClosed": true,
                     *               "yesLabel": "Yes",
                     *               "noLabel": "No",
                     *               "sportsMarketType": null,
                     *               "spreadCents": 2,
                     *               "priceBasis": "midpoint",
                     *               "priceUpdatedAt": "2026-11-22T18:00:00.000Z",
                     *               "priceFeed": "websocket",
                     *               "status": "open",
                     *               "threshold": 0.57,
                     *               "direction": "above",
                     *               "volume24h": 1240,
                     *               "volume24hContracts": 1240,
                     *               "closesAt": "2026-11-22T18:00:00.000Z"
                     *             }
                     *           ],
                     *           "trending": {
                     *             "score": 0.57,
                     *             "components": {
                     *               "volume24h": 0.57,
                     *               "liquidity": 0.57,
                     *               "movement": 0.57,
                     *               "recency": 0.57
                     *             },
                     *             "reasons": [
                     *               "traded_today"
                     *             ],
                     *             "freshness": {
                     *               "level": "live",
                     *               "computedAt": "2026-11-22T18:00:00.000Z"
                     *             }
                     *           },
                     *           "rules": {
                     *             "text": "text",
                     *             "source": "The national weather service",
                     *             "sourceUrl": "https://exchange.example/rules",
                     *             "resolvesAt": "2026-11-22T18:00:00.000Z",
                     *             "outcomes": [
                     *               {
                     *                 "id": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *                 "text": "text"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "limit": 1,
                     *         "total": 1,
                     *         "nextCursor": null,
                     *         "hasMore": false
                     *       },
                     *       "jurisdiction": {
                     *         "enforced": true,
                     *         "message": "The price has moved."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: {
                /** @description en, es, pt or hr; anything else is English */
                locale?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *         "slug": "will-it-rain-tomorrow",
                     *         "title": "Will it rain tomorrow?",
                     *         "sourceTitle": "Will it rain tomorrow?",
                     *         "subtitle": null,
                     *         "category": "politics",
                     *         "categories": [
                     *           "politics"
                     *         ],
                     *         "sport": null,
                     *         "league": null,
                     *         "eventType": "game",
                     *         "liveMatch": {
                     *           "homeScore": 0.57,
                     *           "awayScore": 0.57,
                     *           "period": null,
                     *           "clock": null,
                     *           "observedAt": "2026-11-22T18:00:00.000Z"
                     *         },
                     *         "imageUrl": "/api/v1/images/evt_kh3s9565rfj356sj9vr90ec5h2",
                     *         "kind": "binary",
                     *         "outcomeCount": 1,
                     *         "impliedLevel": 0.57,
                     *         "impliedLevelLabel": null,
                     *         "closesAt": "2026-11-22T18:00:00.000Z",
                     *         "opensAt": "2026-11-22T18:00:00.000Z",
                     *         "updatedAt": "2026-11-22T18:00:00.000Z",
                     *         "volume": 18250,
                     *         "volume24h": 1240,
                     *         "volumeContracts": 18250,
                     *         "volume24hContracts": 1240,
                     *         "status": "open",
                     *         "outcomes": [
                     *           {
                     *             "id": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *             "label": "Yes",
                     *             "sourceLabel": "text",
                     *             "teamLogoUrl": null,
                     *             "teamColor": null,
                     *             "teamMarks": null,
                     *             "teamAbbr": null,
                     *             "probability": 0.57,
                     *             "yesCents": 57,
                     *             "noCents": 43,
                     *             "executableYesCents": 58,
                     *             "executableNoCents": 44,
                     *             "tradable": true,
                     *             "tradingClosed": true,
                     *             "yesLabel": "Yes",
                     *             "noLabel": "No",
                     *             "sportsMarketType": null,
                     *             "spreadCents": 2,
                     *             "priceBasis": "midpoint",
                     *             "priceUpdatedAt": "2026-11-22T18:00:00.000Z",
                     *             "priceFeed": "websocket",
                     *             "status": "open",
                     *             "threshold": 0.57,
                     *             "direction": "above",
                     *             "volume24h": 1240,
                     *             "volume24hContracts": 1240,
                     *             "closesAt": "2026-11-22T18:00:00.000Z"
                     *           }
                     *         ],
                     *         "trending": {
                     *           "score": 0.57,
                     *           "components": {
                     *             "volume24h": 0.57,
                     *             "liquidity": 0.57,
                     *             "movement": 0.57,
                     *             "recency": 0.57
                     *           },
                     *           "reasons": [
                     *             "traded_today"
                     *           ],
                     *           "freshness": {
                     *             "level": "live",
                     *             "computedAt": "2026-11-22T18:00:00.000Z"
                     *           }
                     *         },
                     *         "rules": {
                     *           "text": "text",
                     *           "source": "The national weather service",
                     *           "sourceUrl": "https://exchange.example/rules",
                     *           "resolvesAt": "2026-11-22T18:00:00.000Z",
                     *           "outcomes": [
                     *             {
                     *               "id": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *               "text": "text"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    getEventHistory: {
        parameters: {
            query?: {
                /** @description Period: `1d`, `1w`, `1m` or `all`. */
                range?: "1d" | "1w" | "1m" | "all";
                /** @description Comma-separated ctr_ ids, at most 12; default the most traded. */
                contracts?: string;
                /** @description Language: `en`, `es`, `pt` or `hr`; anything else is English. */
                locale?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "eventId": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *         "range": "1d",
                     *         "series": [
                     *           {
                     *             "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *             "label": "Yes",
                     *             "points": [
                     *               [
                     *                 1,
                     *                 0.57,
                     *                 "2026-11-22T18:00:00.000Z"
                     *               ]
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The records of this answer. */
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
                                /** @description Unix seconds, the probability then, and the same moment in ISO-8601; oldest first. The last is now, or the result of a decided outcome. */
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
                /** @description Comma-separated ctr_ ids, at most 100. */
                ids: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *           "label": "Yes",
                     *           "eventId": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *           "title": "Will it rain tomorrow?"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContractNames"];
                };
            };
        };
    };
    getContractBook: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *       "bids": [
                     *         {
                     *           "price": 0.5,
                     *           "contracts": 34.385964
                     *         }
                     *       ],
                     *       "asks": [
                     *         {
                     *           "price": 0.5,
                     *           "contracts": 34.385964
                     *         }
                     *       ],
                     *       "updatedAt": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContractBook"];
                };
            };
        };
    };
    getContractTrades: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *       "trades": [
                     *         {
                     *           "at": "2026-11-22T18:00:00.000Z",
                     *           "price": 0.5,
                     *           "contracts": 34.385964
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContractTrades"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "category": "politics",
                     *           "label": "Yes",
                     *           "eventCount": 1
                     *         }
                     *       ],
                     *       "totalEvents": 1
                     *     }
                     */
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
                /** @description Event id */
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
                    /** @example (image/png) */
                    "image/png": string;
                    /** @example (image/jpeg) */
                    "image/jpeg": string;
                    /** @example (image/webp) */
                    "image/webp": string;
                    /** @example (image/gif) */
                    "image/gif": string;
                };
            };
        };
    };
    streamPrices: {
        parameters: {
            query: {
                /** @description Comma-separated ctr_ ids */
                contracts: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events; `data` of each is a Price, of the snapshot a PriceSnapshot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 1
                     *     event: price
                     *     data: {"contractId":"ctr_z3t5tn0mrtg4m2wzsttb74acd0","tradeable":true,"probability":0.57}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    mintEmbedSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "externalUserId": "player-1",
                 *       "locale": "en",
                 *       "ttlSeconds": 900,
                 *       "theme": {
                 *         "mode": "dark"
                 *       }
                 *     }
                 */
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
                    /** @description Language: `en`, `es`, `pt` or `hr`; anything else is English. */
                    locale?: string;
                    /**
                     * @description Region that decides how numbers and dates are written.
                     * @enum {string}
                     */
                    region?: "global" | "ar" | "br" | "mx" | "cl" | "co" | "pe" | "us" | "eu" | "hr";
                    /** @description Where the customer is. */
                    jurisdiction?: {
                        /** @description Two letters, as ISO 3166-1 assigns them. */
                        country: string;
                        /** @description The part after the hyphen of an ISO 3166-2 code, one to three letters or digits; or null. */
                        subdivision?: string | null;
                    };
                    /**
                     * @description Presentation of the frame: mode, accent, radius, density.
                     * @default {}
                     */
                    theme?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Named list of offered events; absent for all. */
                    operatorBookId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "id_0192f1c4a7",
                     *       "expiresAt": "2026-11-22T18:00:00.000Z",
                     *       "expiresInSeconds": 1,
                     *       "operatorId": "id_0192f1c4a7",
                     *       "externalUserId": "player-1",
                     *       "origin": "inlay/op_0192f1c4a7",
                     *       "locale": "en",
                     *       "region": "global",
                     *       "jurisdiction": {
                     *         "country": "US",
                     *         "subdivision": "CA"
                     *       },
                     *       "theme": {},
                     *       "usage": {
                     *         "requests": 1,
                     *         "limit": 1,
                     *         "resetsAt": "2026-11-22T18:00:00.000Z"
                     *       },
                     *       "operatorBookId": "id_0192f1c4a7",
                     *       "token": "ies1_...",
                     *       "tokenType": "embed_session"
                     *     }
                     */
                    "application/json": components["schemas"]["EmbedSession"];
                };
            };
        };
    };
    revokeEmbedSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "id_0192f1c4a7",
                     *       "revokedAt": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RevokedSession"];
                };
            };
        };
    };
    getJurisdiction: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "player-1",
                     *       "jurisdiction": {
                     *         "country": "US",
                     *         "subdivision": "CA"
                     *       },
                     *       "assertedAt": "2026-11-22T18:00:00.000Z",
                     *       "assertedSource": "api",
                     *       "observedCountry": null,
                     *       "observedAt": "2026-11-22T18:00:00.000Z",
                     *       "mismatch": true
                     *     }
                     */
                    "application/json": components["schemas"]["JurisdictionAssertion"];
                };
            };
        };
    };
    putJurisdiction: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "country": "US",
                 *       "subdivision": "NJ"
                 *     }
                 */
                "application/json": {
                    /** @description Two letters, as ISO 3166-1 assigns them. */
                    country: string;
                    /** @description The part after the hyphen of an ISO 3166-2 code, one to three letters or digits; or null. */
                    subdivision?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "player-1",
                     *       "jurisdiction": {
                     *         "country": "US",
                     *         "subdivision": "CA"
                     *       },
                     *       "assertedAt": "2026-11-22T18:00:00.000Z",
                     *       "assertedSource": "api",
                     *       "observedCountry": null,
                     *       "observedAt": "2026-11-22T18:00:00.000Z",
                     *       "mismatch": true
                     *     }
                     */
                    "application/json": components["schemas"]["JurisdictionAssertion"];
                };
            };
        };
    };
    getCustomerLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "externalUserId": "player-1",
                     *       "account": {
                     *         "maxWagerMinor": 1,
                     *         "periodStakeMinor": 1,
                     *         "periodHours": 1,
                     *         "note": "asked for by the customer"
                     *       },
                     *       "operator": {
                     *         "maxWagerMinor": 1,
                     *         "periodStakeMinor": 1,
                     *         "periodHours": 1
                     *       },
                     *       "effective": {
                     *         "maxWagerMinor": 1,
                     *         "maxWagerRung": "operator",
                     *         "periods": [
                     *           {
                     *             "stakeMinor": 1,
                     *             "hours": 1,
                     *             "rung": "operator"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerLimits"];
                };
            };
        };
    };
    putCustomerLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        /** @description `periodStakeMinor` and `periodHours` are set together, or neither. What is left out is null. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "maxWagerMinor": 5000,
                 *       "periodStakeMinor": 20000,
                 *       "periodHours": 24
                 *     }
                 */
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
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "externalUserId": "player-1",
                     *       "account": {
                     *         "maxWagerMinor": 1,
                     *         "periodStakeMinor": 1,
                     *         "periodHours": 1,
                     *         "note": "asked for by the customer"
                     *       },
                     *       "operator": {
                     *         "maxWagerMinor": 1,
                     *         "periodStakeMinor": 1,
                     *         "periodHours": 1
                     *       },
                     *       "effective": {
                     *         "maxWagerMinor": 1,
                     *         "maxWagerRung": "operator",
                     *         "periods": [
                     *           {
                     *             "stakeMinor": 1,
                     *             "hours": 1,
                     *             "rung": "operator"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerLimits"];
                };
            };
        };
    };
    deleteCustomerLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "externalUserId": "player-1",
                     *       "account": {
                     *         "maxWagerMinor": 1,
                     *         "periodStakeMinor": 1,
                     *         "periodHours": 1,
                     *         "note": "asked for by the customer"
                     *       },
                     *       "operator": {
                     *         "maxWagerMinor": 1,
                     *         "periodStakeMinor": 1,
                     *         "periodHours": 1
                     *       },
                     *       "effective": {
                     *         "maxWagerMinor": 1,
                     *         "maxWagerRung": "operator",
                     *         "periods": [
                     *           {
                     *             "stakeMinor": 1,
                     *             "hours": 1,
                     *             "rung": "operator"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerLimits"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header: {
                /** @description The operator's own id of the customer. */
                "X-Service-User": string;
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Exactly one of `stake` and `contracts`: a buy is sized by `stake`, a sell by `contracts`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "marketId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                 *       "side": "YES",
                 *       "action": "buy",
                 *       "stake": 20
                 *     }
                 */
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
                    /** @description Dollars to spend, fee included; sizes a buy. */
                    stake?: number | null;
                    /** @description Contracts to sell; sizes a sell. */
                    contracts?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "quoteId": "qt_0192f1c4a7",
                     *       "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *       "side": "YES",
                     *       "action": "buy",
                     *       "executionPrice": 0.57,
                     *       "priceBasis": "book",
                     *       "stake": 20,
                     *       "platformFee": 0.4,
                     *       "platformFeeBps": 200,
                     *       "tradeAmount": 19.6,
                     *       "contracts": 34.385964,
                     *       "potentialPayout": 34.38,
                     *       "expiresAt": "2026-11-22T18:00:00.000Z",
                     *       "simulated": true,
                     *       "freshness": {
                     *         "level": "live",
                     *         "ageSeconds": 0.57,
                     *         "feed": "websocket"
                     *       },
                     *       "routing": {
                     *         "consideredVenues": 1,
                     *         "routable": true
                     *       },
                     *       "operatorMoney": {
                     *         "currency": "USD",
                     *         "authorizationAmount": "20.00",
                     *         "actualDebit": "19.99",
                     *         "releaseAmount": "0.01",
                     *         "tradeAmount": "19.45",
                     *         "platformFee": "0.40",
                     *         "venueFee": "0.14",
                     *         "venueFeeKnown": true
                     *       },
                     *       "operatorExitMoney": null
                     *     }
                     */
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description The operator's own id of a customer. */
                externalUserId?: string;
                /** @description The one order of this key; needs `externalUserId`. */
                clientOrderId?: string;
                /** @description The one order of this support reference. */
                executionRef?: string;
                /** @description Repeatable; an unknown one gives an empty page. */
                status?: ("reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending") | ("reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending")[];
                /** @description Earliest `createdAt`, inclusive; ignored if it is not a date or date-time. */
                since?: string;
                /** @description Latest `createdAt`, inclusive; ignored if it is not a date or date-time. */
                until?: string;
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orders": [
                     *         {
                     *           "orderId": "ord_0192f1c4a7",
                     *           "clientOrderId": "order-1001",
                     *           "externalUserId": "player-1",
                     *           "executionRef": "inl_Best_7K2M9XQ4T1VZ8R",
                     *           "status": "filled",
                     *           "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *           "side": "YES",
                     *           "action": "buy",
                     *           "filledQuantity": 34.122807,
                     *           "averagePrice": 0.57,
                     *           "platformFee": 0.4,
                     *           "platformFeeBps": 200,
                     *           "notional": 19.45,
                     *           "stake": 20,
                     *           "rejectReason": null,
                     *           "cancelReason": null,
                     *           "simulated": true,
                     *           "createdAt": "2026-11-22T18:00:00.000Z",
                     *           "idempotentReplay": false,
                     *           "routing": {
                     *             "reason": "single_venue",
                     *             "consideredVenues": 1
                     *           },
                     *           "settlementState": "settled",
                     *           "transmissionState": "resolved",
                     *           "operatorMoney": {
                     *             "currency": "USD",
                     *             "authorizationAmount": "20.00",
                     *             "actualDebit": "19.99",
                     *             "releaseAmount": "0.01",
                     *             "tradeAmount": "19.45",
                     *             "platformFee": "0.40",
                     *             "venueFee": "0.14",
                     *             "venueFeeKnown": true
                     *           },
                     *           "operatorExitMoney": null,
                     *           "intent": {
                     *             "recordedAt": "2026-11-22T18:00:00.000Z",
                     *             "reserveConfirmedAt": "2026-11-22T18:00:00.000Z",
                     *             "reserveReference": "hold-4711",
                     *             "cancellationId": null,
                     *             "releaseAmount": "0.01",
                     *             "cancelledAt": null,
                     *             "reason": null
                     *           },
                     *           "fills": [
                     *             {
                     *               "fillId": "fil_0192f1c4a7",
                     *               "quantity": 34.122807,
                     *               "price": 0.57,
                     *               "filledAt": "2026-11-22T18:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "nextCursor": null,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header: {
                /** @description The operator's own id of the customer. */
                "X-Service-User": string;
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quoteId": "qt_0192f1c4a7",
                 *       "clientOrderId": "order-1001"
                 *     }
                 */
                "application/json": {
                    /** @description The quote to spend. */
                    quoteId: string;
                    /** @description Idempotency key, unique per operator and customer. */
                    clientOrderId: string;
                    /** @description Default `record_intent` for live tenants, `simulate` for sandbox. */
                    executionIntent?: ("record_intent" | "simulate") | null;
                    /** @description Confirms the reserve in the same call. */
                    reserveReference?: (string | "") | null;
                    /** @description Adverse price allowance in dollars a contract, default 0, clamped to 0.05. */
                    maxSlippage?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description Created. */
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
                /** @description `true`, spelt so, adds the fills. */
                fills?: boolean;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order": {
                     *         "orderId": "ord_0192f1c4a7",
                     *         "clientOrderId": "order-1001",
                     *         "externalUserId": "player-1",
                     *         "executionRef": "inl_Best_7K2M9XQ4T1VZ8R",
                     *         "status": "filled",
                     *         "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *         "side": "YES",
                     *         "action": "buy",
                     *         "filledQuantity": 34.122807,
                     *         "averagePrice": 0.57,
                     *         "platformFee": 0.4,
                     *         "platformFeeBps": 200,
                     *         "notional": 19.45,
                     *         "stake": 20,
                     *         "rejectReason": null,
                     *         "cancelReason": null,
                     *         "simulated": true,
                     *         "createdAt": "2026-11-22T18:00:00.000Z",
                     *         "idempotentReplay": false,
                     *         "routing": {
                     *           "reason": "single_venue",
                     *           "consideredVenues": 1
                     *         },
                     *         "settlementState": "settled",
                     *         "transmissionState": "resolved",
                     *         "operatorMoney": {
                     *           "currency": "USD",
                     *           "authorizationAmount": "20.00",
                     *           "actualDebit": "19.99",
                     *           "releaseAmount": "0.01",
                     *           "tradeAmount": "19.45",
                     *           "platformFee": "0.40",
                     *           "venueFee": "0.14",
                     *           "venueFeeKnown": true
                     *         },
                     *         "operatorExitMoney": null,
                     *         "intent": {
                     *           "recordedAt": "2026-11-22T18:00:00.000Z",
                     *           "reserveConfirmedAt": "2026-11-22T18:00:00.000Z",
                     *           "reserveReference": "hold-4711",
                     *           "cancellationId": null,
                     *           "releaseAmount": "0.01",
                     *           "cancelledAt": null,
                     *           "reason": null
                     *         },
                     *         "fills": [
                     *           {
                     *             "fillId": "fil_0192f1c4a7",
                     *             "quantity": 34.122807,
                     *             "price": 0.57,
                     *             "filledAt": "2026-11-22T18:00:00.000Z"
                     *           }
                     *         ]
                     *       },
                     *       "sentence": "text",
                     *       "timeline": [
                     *         {
                     *           "at": "2026-11-22T18:00:00.000Z",
                     *           "type": "text",
                     *           "text": "text",
                     *           "money": {
                     *             "currency": "USD",
                     *             "authorizationAmount": "20.00",
                     *             "actualDebit": "19.99",
                     *             "releaseAmount": "0.01",
                     *             "tradeAmount": "19.45",
                     *             "platformFee": "0.40",
                     *             "venueFee": "0.14",
                     *             "venueFeeKnown": true
                     *           }
                     *         }
                     *       ],
                     *       "instructions": [
                     *         {
                     *           "at": "2026-11-22T18:00:00.000Z",
                     *           "type": "hold",
                     *           "amount": "10.00",
                     *           "key": "text"
                     *         }
                     *       ],
                     *       "webhooks": [
                     *         {
                     *           "deliveryId": "id_0192f1c4a7",
                     *           "endpointId": "id_0192f1c4a7",
                     *           "eventId": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *           "type": "text",
                     *           "orderId": "ord_0192f1c4a7",
                     *           "status": "pending",
                     *           "createdAt": "2026-11-22T18:00:00.000Z",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-11-22T18:00:00.000Z",
                     *               "status": 1,
                     *               "ms": 1,
                     *               "error": "text"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderHistory"];
                };
            };
        };
    };
    confirmReserve: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Optional. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reserveReference": "hold-1001"
                 *     }
                 */
                "application/json": {
                    /** @description The operator's reference of its reserve; an empty text is as absent. */
                    reserveReference?: (string | "") | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orderId": "ord_0192f1c4a7",
                     *       "clientOrderId": "order-1001",
                     *       "externalUserId": "player-1",
                     *       "executionRef": "inl_Best_7K2M9XQ4T1VZ8R",
                     *       "status": "filled",
                     *       "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *       "side": "YES",
                     *       "action": "buy",
                     *       "filledQuantity": 34.122807,
                     *       "averagePrice": 0.57,
                     *       "platformFee": 0.4,
                     *       "platformFeeBps": 200,
                     *       "notional": 19.45,
                     *       "stake": 20,
                     *       "rejectReason": null,
                     *       "cancelReason": null,
                     *       "simulated": true,
                     *       "createdAt": "2026-11-22T18:00:00.000Z",
                     *       "idempotentReplay": false,
                     *       "routing": {
                     *         "reason": "single_venue",
                     *         "consideredVenues": 1
                     *       },
                     *       "settlementState": "settled",
                     *       "transmissionState": "resolved",
                     *       "operatorMoney": {
                     *         "currency": "USD",
                     *         "authorizationAmount": "20.00",
                     *         "actualDebit": "19.99",
                     *         "releaseAmount": "0.01",
                     *         "tradeAmount": "19.45",
                     *         "platformFee": "0.40",
                     *         "venueFee": "0.14",
                     *         "venueFeeKnown": true
                     *       },
                     *       "operatorExitMoney": null,
                     *       "intent": {
                     *         "recordedAt": "2026-11-22T18:00:00.000Z",
                     *         "reserveConfirmedAt": "2026-11-22T18:00:00.000Z",
                     *         "reserveReference": "hold-4711",
                     *         "cancellationId": null,
                     *         "releaseAmount": "0.01",
                     *         "cancelledAt": null,
                     *         "reason": null
                     *       },
                     *       "fills": [
                     *         {
                     *           "fillId": "fil_0192f1c4a7",
                     *           "quantity": 34.122807,
                     *           "price": 0.57,
                     *           "filledAt": "2026-11-22T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrderDetail"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        /** @description Optional, and empty. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancellationId": "id_0192f1c4a7",
                     *       "currency": "USD",
                     *       "authorizationAmount": "20.00",
                     *       "actualDebit": "19.99",
                     *       "releaseAmount": "0.01",
                     *       "idempotentReplay": false
                     *     }
                     */
                    "application/json": components["schemas"]["Cancellation"];
                };
            };
        };
    };
    listPositions: {
        parameters: {
            query?: {
                /** @description The operator's own id of a customer. */
                externalUserId?: string;
                /** @description Repeatable; an unknown one gives an empty page. */
                status?: ("open" | "closed" | "settled") | ("open" | "closed" | "settled")[];
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "positions": [
                     *         {
                     *           "positionId": "pos_0192f1c4a7",
                     *           "externalUserId": "player-1",
                     *           "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *           "side": "YES",
                     *           "status": "open",
                     *           "quantity": 34.122807,
                     *           "averagePrice": 0.57,
                     *           "openedAt": "2026-11-22T18:00:00.000Z",
                     *           "updatedAt": "2026-11-22T18:00:00.000Z",
                     *           "operatorMoney": {
                     *             "currency": "USD",
                     *             "costBasis": "19.99",
                     *             "realisedPnl": "14.13"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "nextCursor": null,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["PositionPage"];
                };
            };
        };
    };
    getPosition: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "positionId": "pos_0192f1c4a7",
                     *       "externalUserId": "player-1",
                     *       "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *       "side": "YES",
                     *       "status": "open",
                     *       "quantity": 34.122807,
                     *       "averagePrice": 0.57,
                     *       "openedAt": "2026-11-22T18:00:00.000Z",
                     *       "updatedAt": "2026-11-22T18:00:00.000Z",
                     *       "operatorMoney": {
                     *         "currency": "USD",
                     *         "costBasis": "19.99",
                     *         "realisedPnl": "14.13"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Position"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /** @description An unknown customer is 404 `unknown_user`. */
                externalUserId?: string;
                /** @description `won`, `lost` or `void`; an unknown one gives an empty page. */
                outcome?: string;
                /** @description Earliest `settledAt`, inclusive. */
                settledFrom?: string;
                /** @description Latest `settledAt`, inclusive. */
                settledTo?: string;
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settlements": [
                     *         {
                     *           "id": "id_0192f1c4a7",
                     *           "positionId": "pos_0192f1c4a7",
                     *           "externalUserId": "player-1",
                     *           "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *           "side": "YES",
                     *           "resolution": "YES",
                     *           "outcome": "won",
                     *           "contracts": 34.385964,
                     *           "realisedPnl": "14.13",
                     *           "lifetimeRealisedPnl": "14.13",
                     *           "settledAt": "2026-11-22T18:00:00.000Z",
                     *           "operatorMoney": {
                     *             "currency": "USD",
                     *             "settlementCredit": "34.12",
                     *             "voidCredit": "0.00"
                     *           },
                     *           "cursor": "WzEsImZlZWQiLDQyXQ",
                     *           "simulated": true
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "nextCursor": "text",
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["SettlementPage"];
                };
            };
        };
    };
    listSettledPositions: {
        parameters: {
            query?: {
                /** @description The operator's own id of a customer. */
                externalUserId?: string;
                /** @description `cursor` of the answer before. */
                since?: string;
                /** @description Items a page; clamped. */
                limit?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "supersededBy": "text",
                     *       "settlements": [
                     *         {
                     *           "id": "id_0192f1c4a7",
                     *           "positionId": "pos_0192f1c4a7",
                     *           "externalUserId": "player-1",
                     *           "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0",
                     *           "side": "YES",
                     *           "resolution": "YES",
                     *           "outcome": "won",
                     *           "contracts": 34.385964,
                     *           "realisedPnl": "14.13",
                     *           "lifetimeRealisedPnl": "14.13",
                     *           "settledAt": "2026-11-22T18:00:00.000Z",
                     *           "operatorMoney": {
                     *             "currency": "USD",
                     *             "settlementCredit": "34.12",
                     *             "voidCredit": "0.00"
                     *           },
                     *           "cursor": "WzEsImZlZWQiLDQyXQ",
                     *           "simulated": true
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "cursor": "WzEsImZlZWQiLDQyXQ"
                     *     }
                     */
                    "application/json": {
                        /** @description The route that replaces this one. */
                        supersededBy: string;
                        /** @description Oldest first. */
                        settlements: components["schemas"]["Settlement"][];
                        /** @description Items on this page. */
                        count: number;
                        /** @description Pass back as `?since=`. */
                        cursor: string | null;
                    };
                };
            };
        };
    };
    readReconciliationFeed: {
        parameters: {
            query?: {
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
                /** @description Repeatable; an unknown one is 400 `invalid_type`, which names all. */
                type?: ("order.state_changed" | "order.filled" | "fee.assessed" | "collateral.moved" | "ledger.posted" | "position.exited" | "position.settled" | "webhook.emitted") | ("order.state_changed" | "order.filled" | "fee.assessed" | "collateral.moved" | "ledger.posted" | "position.exited" | "position.settled" | "webhook.emitted")[];
                /** @description An unknown customer is 404 `unknown_user`. */
                externalUserId?: string;
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Without a cursor: begins this many matching items before the end. */
                last?: number;
                /** @description If nothing follows the cursor, waits at most so many seconds for what comes next; clamped. At most four requests of a key wait; a fifth is answered at once. */
                wait?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "id_0192f1c4a7",
                     *           "cursor": "WzEsImZlZWQiLDQyXQ",
                     *           "sequence": 1,
                     *           "occurredAt": "2026-11-22T18:00:00.000Z",
                     *           "externalUserId": "player-1",
                     *           "positionId": "pos_0192f1c4a7",
                     *           "orderId": "ord_0192f1c4a7",
                     *           "type": "order.state_changed",
                     *           "money": {
                     *             "currency": "USD",
                     *             "authorizationAmount": "20.00",
                     *             "actualDebit": "19.99",
                     *             "releaseAmount": "0.01",
                     *             "tradeAmount": "19.45",
                     *             "platformFee": "0.40",
                     *             "venueFee": "0.14",
                     *             "venueFeeKnown": true
                     *           },
                     *           "detail": {
                     *             "fromState": "reserve_pending",
                     *             "toState": "filled",
                     *             "reason": null,
                     *             "side": "YES",
                     *             "action": "buy",
                     *             "orderStatus": "filled",
                     *             "simulated": true,
                     *             "executionRef": "inl_Best_7K2M9XQ4T1VZ8R",
                     *             "settlementState": "settled",
                     *             "transmissionState": "resolved",
                     *             "clientOrderId": "order-1001",
                     *             "contractId": "ctr_z3t5tn0mrtg4m2wzsttb74acd0"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "text",
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
        };
    };
    getFeedCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "origin": "inlay/op_0192f1c4a7",
                     *       "size": 1,
                     *       "root": "qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=",
                     *       "checkpoint": "inlay/op_0192f1c4a7\n42\nqJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=\n",
                     *       "verifierKey": "inlay/op_0192f1c4a7+8c1f2a40+AaQ0...",
                     *       "signedAt": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FeedCheckpoint"];
                };
            };
        };
    };
    listLogKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "origin": "inlay/op_0192f1c4a7",
                     *       "keys": [
                     *         {
                     *           "size": 1,
                     *           "previousKey": "text",
                     *           "verifierKey": "inlay/op_0192f1c4a7+8c1f2a40+AaQ0...",
                     *           "compromised": true,
                     *           "note": "asked for by the customer"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LogKeys"];
                };
            };
        };
    };
    getFeedProof: {
        parameters: {
            query?: {
                /** @description Proves that the log holds the item of this number. */
                sequence?: number;
                /** @description Proves that the log of this size is the beginning of the log of `size`. */
                from?: number;
                /** @description Size of the log; that of the newest checkpoint where it is left out. */
                size?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "origin": "inlay/op_0192f1c4a7",
                     *       "kind": "inclusion",
                     *       "sequence": 1,
                     *       "leafHash": "qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=",
                     *       "from": 1,
                     *       "fromRoot": "qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=",
                     *       "size": 1,
                     *       "root": "qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y=",
                     *       "proof": [
                     *         "qJ1xqkUQn2sWk0y9w0i8mZl0u7Jm0oP0m1w2m3n4o5Y="
                     *       ]
                     *     }
                     */
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
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ranAt": "2026-11-22T18:00:00.000Z",
                     *       "from": "2026-11-22T18:00:00.000Z",
                     *       "restsOn": {
                     *         "sequence": 1,
                     *         "auditedAt": "2026-11-22T18:00:00.000Z"
                     *       },
                     *       "ok": true,
                     *       "trialBalance": {
                     *         "debits": "10.00",
                     *         "credits": "10.00",
                     *         "difference": "0.00",
                     *         "balanced": true
                     *       },
                     *       "cashStatement": {
                     *         "side": "hosted",
                     *         "accountsInScope": 1,
                     *         "opening": "10.00",
                     *         "ending": "10.00",
                     *         "expectedEnding": "10.00",
                     *         "difference": "0.00",
                     *         "reconciled": true,
                     *         "externalUserId": "player-1",
                     *         "operatorUserId": null,
                     *         "operatorId": "id_0192f1c4a7"
                     *       },
                     *       "collateralStatement": {
                     *         "side": "hosted",
                     *         "accountsInScope": 1,
                     *         "opening": "10.00",
                     *         "ending": "10.00",
                     *         "expectedEnding": "10.00",
                     *         "difference": "0.00",
                     *         "reconciled": true,
                     *         "externalUserId": "player-1",
                     *         "operatorUserId": null,
                     *         "operatorId": "id_0192f1c4a7"
                     *       },
                     *       "scanned": {
                     *         "entries": 1,
                     *         "lines": 1,
                     *         "accounts": 1
                     *       },
                     *       "venueAgreement": {
                     *         "exits": 1,
                     *         "agrees": 1,
                     *         "disagrees": 1,
                     *         "unknown": 1
                     *       },
                     *       "findings": [
                     *         {
                     *           "check": "trial_balance",
                     *           "severity": "critical",
                     *           "detail": "stake: must be a number above 0",
                     *           "subjectType": "user",
                     *           "subjectId": "id_0192f1c4a7"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    exportReconciliation: {
        parameters: {
            query: {
                /** @description What is exported. */
                kind: "feed" | "orders" | "settlements" | "positions" | "ledger" | "fees" | "revenue" | "statement";
                /** @description What the rows of a revenue statement are: one of them, or two in this order; by default `day`. */
                by?: "day" | "customer" | "market" | "day,customer" | "day,market" | "customer,day" | "customer,market" | "market,day" | "market,customer";
                /** @description As what. */
                format?: "csv" | "jsonl" | "json";
                /** @description ISO-8601, inclusive, by the time recorded; a date alone is its midnight UTC. */
                from?: string;
                /** @description ISO-8601, exclusive; never later than the start of the export. A date alone is its midnight UTC. */
                to?: string;
                /** @description Rows that you have already; append-only kinds in csv or jsonl alone. */
                skip?: number;
                /** @description Between the cells of CSV; `,`, or `;` where decimals have a comma. */
                delimiter?: string;
                /** @description Begins CSV with a byte order mark. */
                bom?: "0" | "1" | "true" | "false";
                /** @description Writes decimals of CSV with a comma. */
                decimalComma?: "0" | "1" | "true" | "false";
                /** @description Writes times of CSV as 2026-11-01 13:00:00 on the clock of this IANA time zone, instead of ISO-8601 in UTC. The days of a revenue statement are those of this place in every format. */
                timeZone?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
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
                    /** @example (text/csv) */
                    "text/csv": string;
                    /** @example (application/x-ndjson) */
                    "application/x-ndjson": string;
                    /** @example {} */
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
                /** @description Items a page; clamped. */
                limit?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "currency": "USD",
                     *       "available": "10.00",
                     *       "committed": "10.00",
                     *       "total": "10.00",
                     *       "movements": [
                     *         {
                     *           "id": "id_0192f1c4a7",
                     *           "sequence": 1,
                     *           "kind": "deposit",
                     *           "amount": "10.00",
                     *           "availableAfter": "10.00",
                     *           "committedAfter": "10.00",
                     *           "memo": "Order filled",
                     *           "reference": "ord_0192f1c4a7",
                     *           "externalUserId": "player-1",
                     *           "orderId": "ord_0192f1c4a7",
                     *           "positionId": "pos_0192f1c4a7",
                     *           "ledgerEntryId": "id_0192f1c4a7",
                     *           "occurredAt": "2026-11-22T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Collateral"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Repeatable; an unknown one is 400 `invalid_type`, which names all. */
                type?: ("order.intent_recorded" | "order.filled" | "order.rejected" | "order.completed" | "order.cancelled" | "position.settled" | "market.resolution_changed") | ("order.intent_recorded" | "order.filled" | "order.rejected" | "order.completed" | "order.cancelled" | "position.settled" | "market.resolution_changed")[];
                /** @description Only events about this order. */
                orderId?: string;
                /** @description Without a cursor: begins this many events before the end. */
                last?: number;
                /** @description If nothing follows the cursor, waits at most so many seconds for what comes next; clamped. At most four requests of a key wait; a fifth is answered at once. */
                wait?: number;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "id_0192f1c4a7",
                     *           "type": "order.intent_recorded",
                     *           "dedupeKey": "order.filled:ord_0192f1c4a7:fil_0192f1c4a7",
                     *           "createdAt": "2026-11-22T18:00:00.000Z",
                     *           "data": {
                     *             "orderId": "ord_0192f1c4a7",
                     *             "executionRef": "inl_Best_7K2M9XQ4T1VZ8R",
                     *             "externalUserId": "player-1",
                     *             "clientOrderId": "order-1001",
                     *             "authorizationAmount": "20.00",
                     *             "currency": "USD",
                     *             "transmitted": false
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "text",
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": [
                     *         {
                     *           "endpointId": "id_0192f1c4a7",
                     *           "url": "text",
                     *           "events": [
                     *             "order.intent_recorded"
                     *           ],
                     *           "enabled": true,
                     *           "disabledReason": "operator",
                     *           "createdAt": "2026-11-22T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Only deliveries of this event. */
                eventId?: string;
                /** @description Only deliveries of events about this order. */
                orderId?: string;
                /** @description Repeatable; an unknown one gives an empty page. */
                status?: ("pending" | "delivered" | "exhausted") | ("pending" | "delivered" | "exhausted")[];
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "deliveryId": "id_0192f1c4a7",
                     *           "endpointId": "id_0192f1c4a7",
                     *           "eventId": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *           "type": "text",
                     *           "orderId": "ord_0192f1c4a7",
                     *           "status": "pending",
                     *           "createdAt": "2026-11-22T18:00:00.000Z",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-11-22T18:00:00.000Z",
                     *               "status": 1,
                     *               "ms": 1,
                     *               "error": "text"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveryId": "id_0192f1c4a7",
                     *       "endpointId": "id_0192f1c4a7",
                     *       "eventId": "evt_kh3s9565rfj356sj9vr90ec5h2",
                     *       "type": "text",
                     *       "orderId": "ord_0192f1c4a7",
                     *       "status": "pending",
                     *       "createdAt": "2026-11-22T18:00:00.000Z",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-11-22T18:00:00.000Z",
                     *           "status": 1,
                     *           "ms": 1,
                     *           "error": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listSupportedAssets: {
        parameters: {
            query?: {
                /** @description Only this asset. */
                symbol?: string;
                /** @description Only these assets, comma-separated. */
                symbols?: string;
                /** @description Only on this chain. */
                chainId?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "assets": [
                     *         {
                     *           "symbol": "USDC",
                     *           "name": "Lucky Casino",
                     *           "chainId": 1,
                     *           "chain": "Polygon",
                     *           "decimals": 1,
                     *           "minAmount": "1.00"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Assets"];
                };
            };
        };
    };
    createDepositAddress: {
        parameters: {
            query?: never;
            header: {
                /** @description The operator's own id of the customer. */
                "X-Service-User": string;
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "symbol": "USDC",
                 *       "chainId": 1
                 *     }
                 */
                "application/json": {
                    /** @description Symbol of a supported asset. */
                    symbol: string;
                    /** @description Id of a supported chain. */
                    chainId: number | string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "depositId": "id_0192f1c4a7",
                     *       "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *       "symbol": "USDC",
                     *       "chainId": 1,
                     *       "memo": "Order filled",
                     *       "expiresAt": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DepositAddress"];
                };
            };
        };
    };
    getDeposit: {
        parameters: {
            query?: {
                /** @description `false` skips the poll of the bridge. */
                sync?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The id in the path or of this record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "depositId": "id_0192f1c4a7",
                     *       "status": "awaiting",
                     *       "symbol": "USDC",
                     *       "chainId": 1,
                     *       "amount": "10.00",
                     *       "creditedAmount": "10.00",
                     *       "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *       "createdAt": "2026-11-22T18:00:00.000Z",
                     *       "creditedAt": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deposit"];
                };
            };
        };
    };
    listScenarios: {
        parameters: {
            query?: {
                /** @description Removes this one first; an unknown one is 404 `scenario_not_found`. */
                disarm?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scenarios": [
                     *         {
                     *           "scenarioId": "id_0192f1c4a7",
                     *           "kind": "partial_fill",
                     *           "fillFraction": 0.57,
                     *           "fillAmount": "10.00",
                     *           "clientOrderId": "order-1001",
                     *           "expiresAt": "2026-11-22T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScenarioList"];
                };
            };
        };
    };
    armScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description Exactly one of `fillFraction` and `fillAmountMinor`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "partial_fill",
                 *       "fillFraction": 0.5
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What the order meets.
                     * @enum {string}
                     */
                    kind: "partial_fill";
                    /** @description Share of the contracts that fills. */
                    fillFraction?: number | null;
                    /** @description Cents of the authorization that fill; of the notional on a sell. */
                    fillAmountMinor?: number | null;
                    /** @description The order to meet it; else the next one. */
                    clientOrderId?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scenarioId": "id_0192f1c4a7",
                     *       "kind": "partial_fill",
                     *       "fillFraction": 0.57,
                     *       "fillAmount": "10.00",
                     *       "clientOrderId": "order-1001",
                     *       "expiresAt": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Scenario"];
                };
            };
        };
    };
    disarmScenario: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description Id of the scenario. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scenarios": [
                     *         {
                     *           "scenarioId": "id_0192f1c4a7",
                     *           "kind": "partial_fill",
                     *           "fillFraction": 0.57,
                     *           "fillAmount": "10.00",
                     *           "clientOrderId": "order-1001",
                     *           "expiresAt": "2026-11-22T18:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScenarioList"];
                };
            };
        };
    };
    resolvePosition: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "positionId": "pos_0192f1c4a7",
                 *       "resolution": "WIN"
                 *     }
                 */
                "application/json": {
                    /** @description An open position. */
                    positionId: string;
                    /**
                     * @description Relative to the position's own side; taken in any case of letters.
                     * @enum {string}
                     */
                    resolution: "WIN" | "LOSS" | "VOID";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "positionId": "pos_0192f1c4a7",
                     *       "resolution": "WIN",
                     *       "alreadyRequested": true,
                     *       "settled": true,
                     *       "reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["ResolutionAnswer"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: {
                /** @description `USD`; there is no other. */
                currency?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "externalUserId": "player-1",
                     *       "currency": "USD",
                     *       "available": "10.00",
                     *       "held": "10.00",
                     *       "total": "10.00"
                     *     }
                     */
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    listWalletEntries: {
        parameters: {
            query?: {
                /** @description Items a page; clamped. */
                limit?: number;
                /** @description Opaque; from `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path: {
                /** @description The operator's own id of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "id_0192f1c4a7",
                     *           "movementType": "ORDER_FILL",
                     *           "memo": "Order filled",
                     *           "amount": "10.00",
                     *           "balanceAfter": "10.00",
                     *           "occurredAt": "2026-11-22T18:00:00.000Z",
                     *           "referenceType": "order",
                     *           "referenceId": "id_0192f1c4a7"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "nextCursor": null,
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["WalletPage"];
                };
            };
        };
    };
    whoami: {
        parameters: {
            query?: never;
            header?: {
                /** @description For aggregators: the id of the downstream operator to act for. Left out, the key acts for its own operator. */
                "x-service-operator"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyId": "id_0192f1c4a7",
                     *       "operatorId": "id_0192f1c4a7",
                     *       "holderId": "id_0192f1c4a7",
                     *       "slug": "will-it-rain-tomorrow",
                     *       "name": "Lucky Casino",
                     *       "mode": "sandbox",
                     *       "scopes": [
                     *         "markets:read"
                     *       ],
                     *       "platformFeeBps": 200,
                     *       "tradingPaused": true,
                     *       "rateLimit": {
                     *         "limit": 1,
                     *         "remaining": 1,
                     *         "resetSeconds": 1
                     *       },
                     *       "timestamp": "2026-11-22T18:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Whoami"];
                };
            };
        };
    };
    "webhook.order.intent_recorded": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "order.intent_recorded";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description A live order was recorded and nothing was sent. Reserve and hold. */
                    data: {
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
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.order.filled": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "order.filled";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description One event per fill. Book the difference of `operatorMoney` to what was applied before. */
                    data: {
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
                        /** @description Of this fill. Contracts, to six places. */
                        fillQuantity: number;
                        /** @description Of this fill. Dollars a contract, 0 to 1. */
                        fillPrice: number;
                        /** @description Of the order to date. Contracts, to six places. */
                        filledQuantity: number;
                        /** @description Of the order to date. Dollars a contract, 0 to 1. */
                        averagePrice: number;
                        /**
                         * @description State of this record.
                         * @enum {string}
                         */
                        status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
                        /**
                         * @description Whether a venue may have the order.
                         * @enum {string}
                         */
                        transmissionState: "not_transmitted" | "unknown" | "resolved";
                        /** @description Cumulative for the order; null on a sell. */
                        operatorMoney: {
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
                            /** @description Spent on contracts. Exact decimal string in US dollars. */
                            tradeAmount: string;
                            /** @description The platform's fee. Exact decimal string in US dollars. */
                            platformFee: string;
                            /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                            venueFee: string;
                            /** @description Whether `venueFee` is what was taken. */
                            venueFeeKnown: boolean;
                        } | null;
                        /** @description Cumulative, of the fills whose venue fee is known: it only grows. Null on a buy. */
                        operatorExitMoney: {
                            /**
                             * @description All booked amounts are US dollars.
                             * @constant
                             */
                            currency: "USD";
                            /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                            sellProceeds: string;
                            /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                            platformFee: string;
                            /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                            venueFee: string;
                            /** @description Whether `venueFee` is what was taken. */
                            venueFeeKnown: boolean;
                        } | null;
                        /** @description True where fills are produced by the service itself. */
                        simulated: boolean;
                        /** @description 1, 2, ...: keep the highest applied, ignore a lower one. */
                        fillSequence?: number;
                        /** @description Whether less is matched than was asked. */
                        partial?: boolean;
                        /** @description True exactly when `transmissionState` is `resolved`. */
                        final?: boolean;
                        /** @description Itemisation of this fill only; book from `operatorMoney`. */
                        fillMoney?: {
                            /**
                             * @description All booked amounts are US dollars.
                             * @constant
                             */
                            currency: "USD";
                            /** @description Spent on, or received for, the contracts of this fill. Exact decimal string in US dollars. */
                            tradeAmount: string;
                            /** @description The platform's fee on this fill. Exact decimal string in US dollars. */
                            platformFee: string;
                            /** @description Fee that the venue took on this fill. Exact decimal string in US dollars. */
                            venueFee: string;
                            /** @description False while a venue fee is still being read; it is not in `venueFee` yet. */
                            venueFeeKnown: boolean;
                            /** @description What to take from the customer; null on a sell. */
                            actualDebit: string | null;
                            /** @description What to credit for a sell, net of fees; null on a buy. */
                            sellProceeds: string | null;
                        };
                    };
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.order.rejected": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "order.rejected";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description The order was refused; nothing was filled. */
                    data: {
                        /** @description Id of the order. */
                        orderId: string;
                        /** @description Stable support reference. */
                        executionRef: string;
                        /** @description The operator's own id of the customer. */
                        externalUserId: string;
                        /** @description The operator's id of the order. */
                        clientOrderId: string;
                        /** @description Why, for people. */
                        reason: string;
                        /** @description The whole authorization as `releaseAmount`; null on a sell. */
                        operatorMoney: {
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
                            /** @description Spent on contracts. Exact decimal string in US dollars. */
                            tradeAmount: string;
                            /** @description The platform's fee. Exact decimal string in US dollars. */
                            platformFee: string;
                            /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                            venueFee: string;
                            /** @description Whether `venueFee` is what was taken. */
                            venueFeeKnown: boolean;
                        } | null;
                    };
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.order.completed": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "order.completed";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description The money of an order is final that was not with the venue’s first answer. Once per order. */
                    data: {
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
                         * @description State of this record.
                         * @enum {string}
                         */
                        status: "reserve_pending" | "pending_venue_execution" | "submitted" | "partially_filled" | "filled" | "rejected" | "cancelled" | "pending";
                        /**
                         * @description How much was filled in the end.
                         * @enum {string}
                         */
                        outcome: "complete" | "closed_partial" | "closed_unfilled";
                        /** @description Held in the end. Contracts, to six places. */
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
                         * @description The money is final.
                         * @constant
                         */
                        final: true;
                        /** @description Whether less is matched than was asked. */
                        partial: boolean;
                        /** @description Cumulative for the order; null on a sell. */
                        operatorMoney: {
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
                            /** @description Spent on contracts. Exact decimal string in US dollars. */
                            tradeAmount: string;
                            /** @description The platform's fee. Exact decimal string in US dollars. */
                            platformFee: string;
                            /** @description Fee that the venue took; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                            venueFee: string;
                            /** @description Whether `venueFee` is what was taken. */
                            venueFeeKnown: boolean;
                        } | null;
                        /** @description Cumulative, of the fills whose venue fee is known: it only grows. Null on a buy. */
                        operatorExitMoney: {
                            /**
                             * @description All booked amounts are US dollars.
                             * @constant
                             */
                            currency: "USD";
                            /** @description Credit this; already net of both fees. Exact decimal string in US dollars. */
                            sellProceeds: string;
                            /** @description The platform's fee, already taken off. Exact decimal string in US dollars. */
                            platformFee: string;
                            /** @description Fee that the venue took, already taken off; a placeholder while `venueFeeKnown` is false. Exact decimal string in US dollars. */
                            venueFee: string;
                            /** @description Whether `venueFee` is what was taken. */
                            venueFeeKnown: boolean;
                        } | null;
                        /** @description Hand this back. Exact decimal string in US dollars. */
                        releaseAmount: string;
                        /**
                         * @description All booked amounts are US dollars.
                         * @constant
                         */
                        currency: "USD";
                        /** @description True where fills are produced by the service itself. */
                        simulated: boolean;
                    };
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.order.cancelled": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "order.cancelled";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description An untransmitted order was withdrawn. */
                    data: {
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
                        /** @description Idempotency key of the release; the `orderId` names the same one. */
                        cancellationId: string;
                        /**
                         * @description All booked amounts are US dollars.
                         * @constant
                         */
                        currency: "USD";
                        /** @description What was held; of a sell nothing is. Exact decimal string in US dollars. */
                        authorizationAmount: string;
                        /**
                         * @description What to take from the customer; null on a sell.
                         * @constant
                         */
                        actualDebit: "0.00";
                        /** @description Give this back. Exact decimal string in US dollars. */
                        releaseAmount: string;
                        /** @description Why, for people. */
                        reason: string | null;
                        /** @description Whether anything was sent to a venue. */
                        transmitted: boolean;
                    };
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.position.settled": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "position.settled";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description A position settled: the same fact as in the settlements register. */
                    data: {
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
                         * @description How the contract resolved.
                         * @enum {string}
                         */
                        resolution: "YES" | "NO" | "VOID" | "SPLIT";
                        /**
                         * @description How it ended for the position.
                         * @enum {string}
                         */
                        outcome: "won" | "lost" | "void";
                        /** @description Settled. Contracts, to six places. */
                        contracts: number;
                        /** @description Cash spent on what was held. Exact decimal string in US dollars. */
                        costBasis: string;
                        /** @description Fees in the cost basis. Exact decimal string in US dollars. */
                        entryFees: string;
                        /** @description What the settlement pays. Exact decimal string in US dollars. */
                        payout: string;
                        /** @description Of this settlement. Exact decimal string in US dollars. */
                        realisedPnl: string;
                        /** @description Of the position since it opened. Exact decimal string in US dollars. */
                        lifetimeRealisedPnl: string;
                        /** @description What to credit for a settlement. At most one amount is not zero; a loss zeroes both. */
                        operatorMoney: {
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
                        /** @description True where fills are produced by the service itself. */
                        simulated: boolean;
                    };
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhook.market.resolution_changed": {
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
                "application/json": {
                    /** @description The same on each attempt. */
                    id: string;
                    /**
                     * @description Type of this record.
                     * @constant
                     */
                    type: "market.resolution_changed";
                    /** @description One per fact. Opaque: compare it whole. */
                    dedupeKey: string;
                    /**
                     * Format: date-time
                     * @description When this attempt was made, not when the fact happened; in `GET /webhook-events`, when the event was recorded. ISO-8601, UTC.
                     */
                    createdAt: string;
                    /** @description A resolution changed after positions settled. No money moves by itself. */
                    data: {
                        /** @description The `ctr_` id. */
                        contractId: string;
                        /**
                         * @description What was paid.
                         * @enum {string}
                         */
                        settledResolution: "YES" | "NO" | "VOID" | "SPLIT";
                        /** @description What holds now; null when withdrawn. */
                        currentResolution: ("YES" | "NO" | "VOID" | "SPLIT") | null;
                        /** @description Positions that were paid by the earlier resolution. */
                        affectedPositionIds?: string[];
                        /** @description The first of them. */
                        affectedPositionId: string;
                        /**
                         * @description A person looks at it.
                         * @constant
                         */
                        action: "operator_review_required";
                    };
                };
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
            /** @description Acknowledged. Anything else, or no response within 10 seconds, is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
