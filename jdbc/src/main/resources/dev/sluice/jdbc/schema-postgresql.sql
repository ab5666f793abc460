-- Limits of Sluice in PostgreSQL 13 and newer. May be run again, and by Flyway or Liquibase as it is (in
-- Liquibase without splitting statements). Times are nanoseconds since 1970 by the clock of the server.
--
-- Functions take the terms of a limit as an array: 1 epoch of its definition, 2 kind (1 log, 2 window,
-- 3 token bucket, 4 held), 3 limit or capacity, 4 period, 5 width of a bucket of the window or cost of a
-- token, 6 most in line, 7 lease, 8 whether a commit need not reach the disk (1).

CREATE TABLE IF NOT EXISTS sluice_version (version int NOT NULL PRIMARY KEY);

CREATE SEQUENCE IF NOT EXISTS sluice_epoch;

CREATE SEQUENCE IF NOT EXISTS sluice_token;

CREATE TABLE IF NOT EXISTS sluice_limit (
	resource text PRIMARY KEY,
	epoch bigint NOT NULL,
	version bigint NOT NULL,
	terms text NOT NULL,
	removed boolean NOT NULL,
	admitted bigint NOT NULL,
	rejected bigint NOT NULL
);

-- What was used: ends says when so many permits (counts) flow back, full_at when a token bucket is full.
CREATE TABLE IF NOT EXISTS sluice_key (
	resource text NOT NULL,
	key text NOT NULL,
	epoch bigint NOT NULL,
	kind bigint NOT NULL,
	period bigint NOT NULL,
	cost bigint NOT NULL,
	last bigint NOT NULL,
	used bigint NOT NULL,
	ends bigint[] NOT NULL,
	counts bigint[] NOT NULL,
	full_at bigint NOT NULL,
	waiting int NOT NULL,
	PRIMARY KEY (resource, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE IF NOT EXISTS sluice_line (
	id text PRIMARY KEY,
	place bigint GENERATED ALWAYS AS IDENTITY,
	resource text NOT NULL,
	key text NOT NULL,
	node text NOT NULL,
	owner text NOT NULL,
	permits bigint NOT NULL
);

CREATE INDEX IF NOT EXISTS sluice_line_place ON sluice_line (resource, key, place);

CREATE TABLE IF NOT EXISTS sluice_hold (
	id text PRIMARY KEY,
	resource text NOT NULL,
	key text NOT NULL,
	node text NOT NULL,
	owner text NOT NULL,
	permits bigint NOT NULL,
	token bigint NOT NULL,
	since bigint NOT NULL,
	lease bigint NOT NULL,
	until bigint NOT NULL
);

CREATE INDEX IF NOT EXISTS sluice_hold_key ON sluice_hold (resource, key);

CREATE INDEX IF NOT EXISTS sluice_hold_node ON sluice_hold (node);

-- Grants to calls in line that their nodes have not confirmed yet.
CREATE TABLE IF NOT EXISTS sluice_grant (
	id text PRIMARY KEY,
	node text NOT NULL,
	token bigint NOT NULL,
	at bigint NOT NULL
);

CREATE INDEX IF NOT EXISTS sluice_grant_node ON sluice_grant (node);

CREATE TABLE IF NOT EXISTS sluice_node (name text PRIMARY KEY, until bigint NOT NULL);

CREATE OR REPLACE FUNCTION sluice_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT (date_part('epoch', clock_timestamp()) * 1000000)::bigint * 1000
$$;

-- Brings what was used to a time, and under the terms if those are newer.
CREATE OR REPLACE FUNCTION sluice_settle(k sluice_key, t bigint[], n bigint) RETURNS sluice_key
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	i int := 1;
BEGIN
	k.last := greatest(k.last, n);
	IF t[1] > k.epoch THEN
		IF k.kind = 3 AND t[2] < 3 THEN
			IF k.full_at > k.last THEN
				k.used := (k.full_at - k.last + k.cost - 1) / k.cost;
				k.ends := ARRAY[CASE t[2] WHEN 1 THEN k.last ELSE k.last / t[5] * t[5] END + t[4]];
				k.counts := ARRAY[k.used];
			END IF;
			k.full_at := 0;
		ELSIF k.kind = 3 AND t[2] = 3 AND k.full_at > k.last THEN
			k.full_at := k.last + (k.full_at - k.last + k.cost - 1) / k.cost * t[5];
		ELSIF k.kind < 3 AND t[4] <> k.period THEN
			k.ends := ARRAY(SELECT e - k.period + t[4] FROM unnest(k.ends) WITH ORDINALITY AS u(e, o) ORDER BY o);
		END IF;
	END IF;
	WHILE i <= cardinality(k.ends) AND k.ends[i] <= k.last LOOP
		k.used := k.used - k.counts[i];
		i := i + 1;
	END LOOP;
	IF i > 1 THEN
		k.ends := k.ends[i:];
		k.counts := k.counts[i:];
	END IF;
	IF t[1] > k.epoch THEN
		IF k.kind < 3 AND t[2] = 3 THEN
			k.full_at := k.last + k.used * t[5];
			k.used := 0;
			k.ends := '{}';
			k.counts := '{}';
		END IF;
		k.epoch := t[1];
		k.kind := t[2];
		k.period := t[4];
		k.cost := t[5];
	END IF;
	RETURN k;
END
$$;

-- Locks the row of a key, and brings it to now.
CREATE OR REPLACE FUNCTION sluice_lock(p_resource text, p_key text, t bigint[]) RETURNS sluice_key
LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key;
BEGIN
	IF t[8] = 1 THEN
		PERFORM set_config('synchronous_commit', 'off', true);
	END IF;
	LOOP
		SELECT * INTO k FROM sluice_key WHERE resource = p_resource AND key = p_key FOR UPDATE;
		EXIT WHEN FOUND;
		INSERT INTO sluice_key VALUES (p_resource, p_key, t[1], t[2], t[4], t[5], 0, 0, '{}', '{}', 0, 0)
			ON CONFLICT DO NOTHING;
	END LOOP;
	k := sluice_settle(k, t, sluice_now());
	IF t[2] = 4 THEN
		DELETE FROM sluice_hold WHERE resource = p_resource AND key = p_key AND until <= k.last;
	END IF;
	RETURN k;
END
$$;

CREATE OR REPLACE FUNCTION sluice_save(k sluice_key) RETURNS void LANGUAGE sql AS $$
	UPDATE sluice_key SET epoch = k.epoch, kind = k.kind, period = k.period, cost = k.cost, last = k.last,
		used = k.used, ends = k.ends, counts = k.counts, full_at = k.full_at, waiting = k.waiting
		WHERE resource = k.resource AND key = k.key
$$;

-- Returns how long it takes until so many permits are there; a least time if they are more than the limit.
CREATE OR REPLACE FUNCTION sluice_wait(k sluice_key, t bigint[], need bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	rounds bigint;
	lack bigint;
	wait bigint := 0;
	i int := 1;
BEGIN
	IF t[2] = 3 THEN
		RETURN greatest(0, greatest(k.full_at, k.last) - k.last + (need - t[3]) * t[5]);
	END IF;
	rounds := (need - 1) / t[3];
	lack := k.used + need - rounds * t[3] - t[3];
	WHILE lack > 0 AND i <= cardinality(k.ends) LOOP
		lack := lack - k.counts[i];
		wait := k.ends[i] - k.last;
		i := i + 1;
	END LOOP;
	RETURN wait + rounds * t[4];
END
$$;

CREATE OR REPLACE FUNCTION sluice_end(k sluice_key, t bigint[], at bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE t[2] WHEN 1 THEN at ELSE at / t[5] * t[5] END + t[4]
$$;

CREATE OR REPLACE FUNCTION sluice_spend(k sluice_key, t bigint[], permits bigint) RETURNS sluice_key
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	size int := cardinality(k.ends);
	e bigint;
BEGIN
	IF t[2] = 3 THEN
		k.full_at := greatest(k.full_at, k.last) + permits * t[5];
		RETURN k;
	END IF;
	e := sluice_end(k, t, k.last);
	IF size > 0 AND k.ends[size] >= e THEN
		k.counts[size] := k.counts[size] + permits;
	ELSE
		k.ends := k.ends || e;
		k.counts := k.counts || permits;
	END IF;
	k.used := k.used + permits;
	RETURN k;
END
$$;

CREATE OR REPLACE FUNCTION sluice_held(p_resource text, p_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(permits), 0)::bigint FROM (SELECT max(permits) AS permits FROM sluice_hold
		WHERE resource = p_resource AND key = p_key AND until > sluice_now() GROUP BY owner) AS owners
$$;

-- Grants to those in line, first come, first served. Whoever waits at a node that is gone leaves.
CREATE OR REPLACE FUNCTION sluice_advance(k sluice_key, t bigint[]) RETURNS sluice_key LANGUAGE plpgsql AS $$
DECLARE
	w sluice_line;
	held bigint;
	number bigint;
	granted int;
BEGIN
	IF k.waiting = 0 THEN
		RETURN k;
	END IF;
	held := CASE t[2] WHEN 4 THEN (SELECT coalesce(sum(permits), 0)::bigint FROM (SELECT max(permits) AS permits
		FROM sluice_hold WHERE resource = k.resource AND key = k.key GROUP BY owner) AS owners) ELSE 0 END;
	LOOP
		SELECT * INTO w FROM sluice_line WHERE resource = k.resource AND key = k.key ORDER BY place LIMIT 1;
		IF NOT FOUND THEN
			k.waiting := 0;
			RETURN k;
		END IF;
		IF NOT EXISTS (SELECT FROM sluice_node WHERE name = w.node AND until > k.last) THEN
			DELETE FROM sluice_line WHERE id = w.id;
			k.waiting := k.waiting - 1;
			CONTINUE;
		END IF;
		IF t[2] = 4 THEN
			EXIT WHEN held + w.permits > t[3];
			number := nextval('sluice_token');
			INSERT INTO sluice_hold SELECT id, resource, key, node, owner, w.permits, number, k.last, t[7], k.last + t[7]
				FROM sluice_line WHERE resource = k.resource AND key = k.key AND owner = w.owner;
			INSERT INTO sluice_grant SELECT id, node, number, k.last
				FROM sluice_line WHERE resource = k.resource AND key = k.key AND owner = w.owner;
			DELETE FROM sluice_line WHERE resource = k.resource AND key = k.key AND owner = w.owner;
			GET DIAGNOSTICS granted = ROW_COUNT;
			k.waiting := k.waiting - granted;
			held := held + w.permits;
		ELSE
			EXIT WHEN w.permits > t[3] OR sluice_wait(k, t, w.permits) > 0;
			k := sluice_spend(k, t, w.permits);
			INSERT INTO sluice_grant VALUES (w.id, w.node, 0, k.last);
			DELETE FROM sluice_line WHERE id = w.id;
			k.waiting := k.waiting - 1;
		END IF;
	END LOOP;
	RETURN k;
END
$$;

CREATE OR REPLACE FUNCTION sluice_in_line(k sluice_key) RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT coalesce(sum(permits), 0)::bigint FROM sluice_line WHERE resource = k.resource AND key = k.key
$$;

-- Takes permits of a rate for calls of one size. Codes: 0 decided, 1 limit, 2 line, 9 old terms.
CREATE OR REPLACE FUNCTION sluice_take(p_resource text, p_key text, t bigint[], size bigint, calls int,
	OUT code int, OUT served int, OUT wait bigint, OUT at bigint) LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
BEGIN
	code := 0;
	served := 0;
	wait := 0;
	at := k.last;
	IF k.epoch > t[1] THEN
		code := 9;
		RETURN;
	END IF;
	k := sluice_advance(k, t);
	IF k.waiting > 0 THEN
		code := 2;
		wait := sluice_wait(k, t, sluice_in_line(k) + size);
	ELSE
		served := least(calls, CASE t[2]
			WHEN 3 THEN (t[3] * t[5] - greatest(0, k.full_at - k.last)) / t[5] ELSE t[3] - k.used END / size);
		served := greatest(0, served);
		IF served > 0 THEN
			k := sluice_spend(k, t, served * size);
		END IF;
		IF served < calls THEN
			wait := greatest(1, sluice_wait(k, t, size));
		END IF;
	END IF;
	PERFORM sluice_save(k);
END
$$;

-- Takes permits for one call, or enters the line. Codes: 0 granted, 1 limit, 2 line, 3 waiting, 4 more than
-- its owner holds, 5 more than its owner waits for, 9 old terms. A wait below 0 does not enter the line.
CREATE OR REPLACE FUNCTION sluice_enter(p_resource text, p_key text, t bigint[], p_node text, p_id text,
	p_owner text, p_permits bigint, most bigint, OUT code int, OUT value bigint, OUT at bigint)
LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
	h sluice_hold;
	first bigint;
BEGIN
	value := 0;
	at := k.last;
	IF k.epoch > t[1] THEN
		code := 9;
		RETURN;
	END IF;
	IF t[2] = 4 THEN
		SELECT * INTO h FROM sluice_hold WHERE resource = p_resource AND key = p_key AND owner = p_owner LIMIT 1;
		IF FOUND THEN
			value := h.token;
			code := 0;
			IF h.permits < p_permits THEN
				code := 4;
				value := h.permits;
				RETURN;
			END IF;
			INSERT INTO sluice_hold VALUES (p_id, p_resource, p_key, p_node, p_owner, h.permits, h.token, h.since,
				t[7], k.last + t[7]) ON CONFLICT DO NOTHING;
			RETURN;
		END IF;
	END IF;
	k := sluice_advance(k, t);
	code := CASE WHEN k.waiting > 0 THEN 2 ELSE 1 END;
	IF k.waiting = 0 AND t[2] = 4 AND sluice_held(p_resource, p_key) + p_permits <= t[3] THEN
		code := 0;
		value := nextval('sluice_token');
		INSERT INTO sluice_hold VALUES (p_id, p_resource, p_key, p_node, p_owner, p_permits, value, k.last, t[7],
			k.last + t[7]);
	ELSIF t[2] < 4 THEN
		value := sluice_wait(k, t, p_permits + sluice_in_line(k));
		IF k.waiting = 0 AND value = 0 THEN
			code := 0;
			k := sluice_spend(k, t, p_permits);
		END IF;
	END IF;
	IF code > 0 AND most >= 0 AND value <= most THEN
		SELECT permits INTO first FROM sluice_line
			WHERE resource = p_resource AND key = p_key AND owner = p_owner ORDER BY place LIMIT 1;
		IF t[2] = 4 AND first < p_permits THEN
			code := 5;
			value := first;
		ELSIF k.waiting >= t[6] THEN
			code := 2;
		ELSE
			code := 3;
			INSERT INTO sluice_line (id, resource, key, node, owner, permits)
				VALUES (p_id, p_resource, p_key, p_node, p_owner, p_permits);
			k.waiting := k.waiting + 1;
		END IF;
	END IF;
	PERFORM sluice_save(k);
END
$$;

-- Grants to those in line. Returns how many wait still, and how long the first of a rate will at least.
CREATE OR REPLACE FUNCTION sluice_serve(p_resource text, p_key text, t bigint[], OUT code int, OUT left_over int,
	OUT wait bigint) LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
BEGIN
	code := CASE WHEN k.epoch > t[1] THEN 9 ELSE 0 END;
	IF code = 0 THEN
		k := sluice_advance(k, t);
		PERFORM sluice_save(k);
	END IF;
	left_over := k.waiting;
	wait := CASE WHEN t[2] < 4 AND k.waiting > 0 THEN sluice_wait(k, t, (SELECT permits FROM sluice_line
		WHERE resource = p_resource AND key = p_key ORDER BY place LIMIT 1)) ELSE -1 END;
END
$$;

-- Removes a call: what it holds or waits for, or what a rate has granted it in line. May be called again.
CREATE OR REPLACE FUNCTION sluice_exit(p_resource text, p_key text, t bigint[], p_id text, OUT done boolean,
	OUT left_over int) LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
BEGIN
	DELETE FROM sluice_hold WHERE id = p_id;
	done := FOUND;
	DELETE FROM sluice_grant WHERE id = p_id;
	done := done OR FOUND;
	DELETE FROM sluice_line WHERE id = p_id;
	IF FOUND THEN
		done := true;
		k.waiting := greatest(0, k.waiting - 1);
	END IF;
	left_over := k.waiting;
	IF k.epoch <= t[1] THEN
		k := sluice_advance(k, t);
	END IF;
	PERFORM sluice_save(k);
END
$$;

CREATE OR REPLACE FUNCTION sluice_release(p_resource text, p_key text, t bigint[], p_owner text,
	OUT done boolean, OUT left_over int) LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
BEGIN
	DELETE FROM sluice_hold WHERE resource = p_resource AND key = p_key AND owner = p_owner;
	done := FOUND;
	left_over := k.waiting;
	IF k.epoch <= t[1] THEN
		k := sluice_advance(k, t);
	END IF;
	PERFORM sluice_save(k);
END
$$;

-- Gives back what a rate has granted at a time; nothing if that has flowed back by itself.
CREATE OR REPLACE FUNCTION sluice_refund(p_resource text, p_key text, t bigint[], permits bigint, at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
	e bigint := sluice_end(k, t, at);
	back bigint;
BEGIN
	IF k.epoch <> t[1] THEN
		RETURN;
	END IF;
	IF t[2] = 3 THEN
		k.full_at := greatest(0, k.full_at - permits * t[5]);
	ELSE
		FOR i IN 1 .. cardinality(k.ends) LOOP
			IF k.ends[i] = e THEN
				back := least(permits, k.counts[i]);
				k.counts[i] := k.counts[i] - back;
				k.used := k.used - back;
			END IF;
		END LOOP;
	END IF;
	k := sluice_advance(k, t);
	PERFORM sluice_save(k);
END
$$;

CREATE OR REPLACE FUNCTION sluice_forget(p_resource text, p_key text, t bigint[]) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
	k sluice_key := sluice_lock(p_resource, p_key, t);
	known boolean := k.used > 0 OR k.full_at > k.last;
BEGIN
	k.used := 0;
	k.ends := '{}';
	k.counts := '{}';
	k.full_at := 0;
	IF k.epoch <= t[1] THEN
		k := sluice_advance(k, t);
	END IF;
	PERFORM sluice_save(k);
	RETURN known;
END
$$;

-- Looks at the keys of a limit that are in use, or at one of them; changes nothing.
CREATE OR REPLACE FUNCTION sluice_look(p_resource text, p_key text, t bigint[])
RETURNS TABLE (name text, taken bigint, in_line int, wait bigint, reset bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
	k sluice_key;
BEGIN
	FOR k IN SELECT * FROM sluice_key WHERE resource = p_resource AND (p_key IS NULL OR key = p_key) LOOP
		k := sluice_settle(k, t, sluice_now());
		name := k.key;
		in_line := k.waiting;
		IF t[2] = 4 THEN
			taken := sluice_held(p_resource, k.key);
			wait := CASE WHEN taken < t[3] AND in_line = 0 THEN 0 ELSE -1 END;
			reset := 0;
		ELSE
			taken := CASE t[2] WHEN 3 THEN (greatest(0, k.full_at - k.last) + t[5] - 1) / t[5] ELSE k.used END;
			wait := sluice_wait(k, t, 1 + CASE WHEN k.waiting > 0 THEN sluice_in_line(k) ELSE 0 END);
			reset := CASE WHEN t[2] = 3 THEN greatest(0, k.full_at - k.last)
				WHEN cardinality(k.ends) > 0 THEN k.ends[cardinality(k.ends)] - k.last ELSE 0 END;
		END IF;
		IF taken > 0 OR in_line > 0 THEN
			RETURN NEXT;
		END IF;
	END LOOP;
END
$$;

-- Defines a limit: 'open' creates it or brings it back, 'change' does not. Returns the definition that holds.
CREATE OR REPLACE FUNCTION sluice_define(p_resource text, p_terms text, operation text)
RETURNS SETOF sluice_limit LANGUAGE plpgsql AS $$
DECLARE
	d sluice_limit;
BEGIN
	IF operation = 'open' THEN
		INSERT INTO sluice_limit VALUES (p_resource, nextval('sluice_epoch'), 1, p_terms, false, 0, 0)
			ON CONFLICT DO NOTHING;
	END IF;
	SELECT * INTO d FROM sluice_limit WHERE resource = p_resource FOR UPDATE;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	IF d.removed AND operation = 'open' THEN
		UPDATE sluice_limit SET epoch = nextval('sluice_epoch'), version = 1, terms = p_terms, removed = false,
			admitted = 0, rejected = 0 WHERE resource = p_resource RETURNING * INTO d;
	ELSIF NOT d.removed AND d.terms <> p_terms AND split_part(d.terms, ' ', 1) = split_part(p_terms, ' ', 1) THEN
		UPDATE sluice_limit SET epoch = nextval('sluice_epoch'), version = version + 1, terms = p_terms
			WHERE resource = p_resource RETURNING * INTO d;
	END IF;
	RETURN NEXT d;
END
$$;

-- Removes a limit; returns how many permits are held, and removes nothing if any are.
CREATE OR REPLACE FUNCTION sluice_remove(p_resource text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	held bigint;
BEGIN
	PERFORM FROM sluice_limit WHERE resource = p_resource FOR UPDATE;
	PERFORM FROM sluice_key WHERE resource = p_resource ORDER BY key FOR UPDATE;
	SELECT coalesce(sum(permits), 0)::bigint INTO held FROM sluice_hold
		WHERE resource = p_resource AND until > sluice_now();
	IF held = 0 THEN
		UPDATE sluice_limit SET removed = true, epoch = nextval('sluice_epoch') WHERE resource = p_resource;
		DELETE FROM sluice_line WHERE resource = p_resource;
		DELETE FROM sluice_hold WHERE resource = p_resource;
		DELETE FROM sluice_key WHERE resource = p_resource;
	END IF;
	RETURN held;
END
$$;

-- Registers a node, renews what is held there, and counts the nodes that live.
CREATE OR REPLACE FUNCTION sluice_beat(p_node text, lease bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO sluice_node VALUES (p_node, sluice_now() + lease)
		ON CONFLICT (name) DO UPDATE SET until = excluded.until;
	DELETE FROM sluice_node WHERE name IN (SELECT name FROM sluice_node
		WHERE until < sluice_now() - 10 * lease FOR UPDATE SKIP LOCKED);
	RETURN (SELECT count(*) FROM sluice_node WHERE until > sluice_now());
END
$$;

-- Removes up to 1,000 keys of rates that are as if they had never been used.
CREATE OR REPLACE FUNCTION sluice_sweep() RETURNS void LANGUAGE sql AS $$
	DELETE FROM sluice_key WHERE (resource, key) IN (SELECT resource, key FROM sluice_key
		WHERE waiting = 0 AND kind < 4 AND full_at < sluice_now() AND last < sluice_now() - period
		AND (cardinality(ends) = 0 OR ends[cardinality(ends)] < sluice_now())
		LIMIT 1000 FOR UPDATE SKIP LOCKED);
	DELETE FROM sluice_grant WHERE at < sluice_now() - 600000000000
$$;

-- Functions find their tables wherever they were created, at a small price outside of schema public.
DO $$
DECLARE
	f regprocedure;
BEGIN
	IF current_schema() <> 'public' THEN
		FOR f IN SELECT oid FROM pg_proc WHERE proname LIKE 'sluice\_%'
			AND pronamespace = current_schema()::regnamespace LOOP
			EXECUTE format('ALTER FUNCTION %s SET search_path FROM CURRENT', f);
		END LOOP;
	END IF;
END
$$;

INSERT INTO sluice_version VALUES (1) ON CONFLICT DO NOTHING;
