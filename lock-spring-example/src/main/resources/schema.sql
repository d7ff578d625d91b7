create table if not exists item (
    name varchar(100) primary key,
    stock int not null
);

create table if not exists sale (
    id bigint generated always as identity primary key,
    item varchar(100) not null,
    buyer varchar(100) not null,
    process_id bigint not null
);

create table if not exists report (
    id bigint generated always as identity primary key,
    written_at timestamp with time zone not null,
    sales bigint not null,
    process_id bigint not null
);
