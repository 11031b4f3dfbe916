create table if not exists instance (
    name    varchar(20)  not null primary key,
    url     varchar(100) not null,
    pid     bigint       not null,
    seen_at timestamp(3) not null
);

create table if not exists billing_month (
    number int     not null primary key,
    locked boolean not null
);

create table if not exists charge (
    id            bigint generated always as identity primary key,
    month_number  int         not null,
    user_id       varchar(20) not null,
    instance      varchar(20) not null,
    fencing_token bigint      not null
);

create table if not exists rush (
    id         bigint generated always as identity primary key,
    stock      int         not null,
    items_left int         not null,
    buyers     int         not null,
    locked     boolean     not null,
    started_by varchar(20) not null
);

create table if not exists sale (
    id       bigint generated always as identity primary key,
    rush_id  bigint      not null,
    instance varchar(20) not null
);

create table if not exists deployment (
    id               bigint generated always as identity primary key,
    service          varchar(20) not null,
    steps            int         not null,
    finished         boolean     not null,
    instance         varchar(20),
    fencing_token    bigint      not null,
    remaining_millis bigint      not null,
    renewals         bigint      not null
);

create table if not exists deployment_step (
    deployment_id bigint      not null,
    number        int         not null,
    instance      varchar(20) not null,
    fencing_token bigint      not null,
    primary key (deployment_id, number)
);
