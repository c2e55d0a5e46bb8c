-- What only the service operator's commands do, applied after grants.sql where they have a database role of their own. :service is
-- the role of the API and the workers: whoever takes over such a process makes no key, opens no gate, and approves nothing.
revoke insert, update, delete on operators, api_keys, approval_kinds, approvals, audit_log from :service;
revoke execute on function request_approval, decide_approval from :service;

-- the key of a log is changed by a command
revoke insert on feed_log_keys from :service;
