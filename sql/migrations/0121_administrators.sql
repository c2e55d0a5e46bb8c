-- Database roles of the service operator's commands. Only the owner of the tables names them (src/db/schema/apply-functions.ts);
-- where there are some, the service's own role may not do what is theirs (sql/service-grants.sql).
create table admin_roles (role name primary key);
