-- Tables and functions of sluice-jdbc for PostgreSQL 13 and newer. The script creates them in the first schema of
-- the search path. The script may run any number of times: existing tables and their rows remain. Its statements
-- need only the right to create objects in that schema.
--
-- Times are microseconds of the server clock. Names are texts in the modified UTF-8 of Java. A function that
-- decides on a key acquires a shared lock of the definition of the limit and then the lock of the key, so that the
-- calls for one key are decided one after the other. It then reads the row of the state FOR UPDATE. Only
-- sluice_take grants or rejects without these locks, if the row alone is sufficient for the decision. A decision
-- must see all changes that were committed before it, so the isolation level must be READ COMMITTED.

CREATE TABLE IF NOT EXISTS sluice_schema (
	version integer NOT NULL
);

CREATE SEQUENCE IF NOT EXISTS sluice_sequence;

CREATE TABLE IF NOT EXISTS sluice_node (
	node text PRIMARY KEY,
	till bigint NOT NULL
);

-- Definition of a limit. "kind" is W for windows and logs, D for dynamic windows, T for token buckets and H for
-- concurrency limits. "length" is the length of a bucket of the clock. For a token bucket, "length" is the cost of
-- a token. "buckets" is the number of buckets. For a token bucket, "buckets" is the number of bits by which the
-- unit of the cost is finer than a microsecond.
CREATE TABLE IF NOT EXISTS sluice_limit (
	resource bytea PRIMARY KEY,
	version bigint NOT NULL,
	terms text NOT NULL,
	kind text NOT NULL,
	max_permits bigint NOT NULL,
	length bigint NOT NULL,
	buckets bigint NOT NULL,
	capacity bigint NOT NULL,
	min_permits bigint NOT NULL,
	waiting bigint NOT NULL,
	lease bigint NOT NULL,
	admitted bigint NOT NULL DEFAULT 0,
	rejected bigint NOT NULL DEFAULT 0
);

-- State of a key of a rate. "starts" and "counts" have the start and the permits of each bucket, oldest first.
-- "total" is the sum of the counts and may include buckets that have left the window. For a token bucket, "total"
-- is the amount spent at the time "since". "seen" is the latest time of the state. "ends" is the latest time at
-- which the key becomes unused. For a dynamic window, "since" is the place of the key among the active keys.
-- "version" is the version of the limit under which the row was written. "waited" indicates whether the key may
-- have waiters.
CREATE TABLE IF NOT EXISTS sluice_rate (
	resource bytea NOT NULL,
	key bytea NOT NULL,
	kind text NOT NULL,
	length bigint NOT NULL,
	buckets bigint NOT NULL,
	starts bigint[] NOT NULL,
	counts bigint[] NOT NULL,
	seen bigint NOT NULL,
	ends bigint NOT NULL,
	since bigint NOT NULL,
	total bigint NOT NULL,
	version bigint NOT NULL,
	waited boolean NOT NULL,
	PRIMARY KEY (resource, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Entry of an owner. All entries of one owner have the token of its grant and count once.
CREATE TABLE IF NOT EXISTS sluice_hold (
	node text NOT NULL,
	entry bigint NOT NULL,
	resource bytea NOT NULL,
	key bytea NOT NULL,
	owner bytea NOT NULL,
	permits bigint NOT NULL,
	token bigint NOT NULL,
	since bigint NOT NULL,
	till bigint NOT NULL,
	PRIMARY KEY (node, entry)
);

CREATE INDEX IF NOT EXISTS sluice_hold_key ON sluice_hold (resource, key);

-- Entry of a waiter in the line. "granted" is null while the entry waits. After a grant, it is the token, or the
-- time of the grant for a rate, until the node has confirmed the grant. It is -1 if the entry cannot be granted.
-- "look" is the time at which the node of the first entry checks the line again.
CREATE TABLE IF NOT EXISTS sluice_line (
	node text NOT NULL,
	entry bigint NOT NULL,
	resource bytea NOT NULL,
	key bytea NOT NULL,
	owner bytea NOT NULL,
	permits bigint NOT NULL,
	place bigint NOT NULL,
	granted bigint,
	look bigint,
	PRIMARY KEY (node, entry)
);

CREATE INDEX IF NOT EXISTS sluice_line_key ON sluice_line (resource, key, place);

-- Returns the time of the server clock in microseconds.
CREATE OR REPLACE FUNCTION sluice_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;

-- Rates: the state of one key

-- Returns the amount of a token bucket that is spent at a time, in the unit of the cost of a token.
CREATE OR REPLACE FUNCTION sluice_spent(s sluice_rate, t bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF t - s.since > s.total >> s.buckets::int THEN
		RETURN 0;
	END IF;
	RETURN s.total - ((t - s.since) << s.buckets::int);
END
$$;

-- Returns the number of permits that a key uses at a time.
CREATE OR REPLACE FUNCTION sluice_used(s sluice_rate, t bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	used bigint := s.total;
BEGIN
	IF s.kind = 'T' THEN
		RETURN (sluice_spent(s, t) + s.length - 1) / s.length;
	END IF;
	FOR i IN 1 .. cardinality(s.starts) LOOP
		EXIT WHEN s.starts[i] + s.length * s.buckets > t;
		used := used - s.counts[i];
	END LOOP;
	RETURN used;
END
$$;

-- Returns the time at which a key becomes unused if no further permits are granted.
CREATE OR REPLACE FUNCTION sluice_ends(s sluice_rate) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF s.kind = 'T' THEN
		RETURN s.since + (s.total >> s.buckets::int) + 1;
	ELSIF cardinality(s.starts) = 0 THEN
		RETURN 0;
	END IF;
	RETURN s.starts[cardinality(s.starts)] + s.length * s.buckets;
END
$$;

-- Returns the state with n permits granted at a time. Buckets that have left the window are removed.
CREATE OR REPLACE FUNCTION sluice_added(s sluice_rate, n bigint, t bigint) RETURNS sluice_rate
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	gone int := 0;
	latest int;
BEGIN
	IF s.kind = 'T' THEN
		s.total := sluice_spent(s, t) + n * s.length;
		s.since := t;
		RETURN s;
	END IF;
	WHILE gone < cardinality(s.starts) AND s.starts[gone + 1] + s.length * s.buckets <= t LOOP
		gone := gone + 1;
		s.total := s.total - s.counts[gone];
	END LOOP;
	s.total := s.total + n;
	IF gone > 0 THEN
		s.starts := s.starts[gone + 1 :];
		s.counts := s.counts[gone + 1 :];
	END IF;
	latest := cardinality(s.starts);
	IF latest > 0 AND s.starts[latest] = t - t % s.length THEN
		s.counts[latest] := s.counts[latest] + n;
	ELSIF n > 0 THEN
		s.starts := s.starts || t - t % s.length;
		s.counts := s.counts || n;
	END IF;
	RETURN s;
END
$$;

-- Returns the state without a grant of n permits at a time. Tokens that would have overflowed since then without
-- the grant are not returned to the bucket.
CREATE OR REPLACE FUNCTION sluice_without(s sluice_rate, n bigint, t bigint) RETURNS sluice_rate
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	i int;
BEGIN
	IF s.kind = 'T' THEN
		s.total := greatest(0, sluice_spent(s, s.seen)
			- greatest(0, n * s.length - (least(s.seen - t, n * s.length) << s.buckets::int)));
		s.since := s.seen;
		RETURN s;
	END IF;
	i := array_position(s.starts, t - t % s.length);
	IF i IS NOT NULL THEN
		s.total := s.total - least(s.counts[i], n);
		s.counts[i] := greatest(0, s.counts[i] - n);
	END IF;
	RETURN s;
END
$$;

-- Returns the wait for n permits of a key, regardless of other keys. The function returns 0 if the permits are
-- available.
CREATE OR REPLACE FUNCTION sluice_wait(s sluice_rate, max_permits bigint, n bigint, t bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	excess bigint;
BEGIN
	IF s.kind = 'T' THEN
		excess := sluice_spent(s, t) + (n - max_permits) * s.length;
		RETURN CASE WHEN excess <= 0 THEN 0 ELSE ((excess - 1) >> s.buckets::int) + 1 END;
	END IF;
	excess := sluice_used(s, t) + n - max_permits;
	IF excess <= 0 THEN
		RETURN 0;
	END IF;
	FOR i IN 1 .. cardinality(s.starts) LOOP
		IF s.starts[i] + s.length * s.buckets > t THEN
			excess := excess - s.counts[i];
			IF excess <= 0 THEN
				RETURN s.starts[i] + s.length * s.buckets - t;
			END IF;
		END IF;
	END LOOP;
	RETURN s.length * s.buckets;
END
$$;

-- Rates: the share of a key in a dynamic window. The remainder of the division goes to the keys that have been
-- active longest.

-- Takes a limit, the state of a key and a time. Returns the number of permits that the key may use ("share") and
-- the number that is available to it ("free").
CREATE OR REPLACE FUNCTION sluice_share(l sluice_limit, s sluice_rate, t bigint, OUT share bigint, OUT free bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
	mine bigint := sluice_used(s, t);
	others bigint;
	earlier bigint;
	ours bigint;
BEGIN
	SELECT count(*), count(*) FILTER (WHERE s.since = 0 OR r.since < s.since), coalesce(sum(sluice_used(r, t)), 0)
		INTO others, earlier, ours FROM sluice_rate r
		WHERE r.resource = l.resource AND r.key <> s.key AND r.ends > t;
	share := l.capacity / (others + 1);
	IF mine > 0 AND earlier < l.capacity % (others + 1) THEN
		share := share + 1;
	END IF;
	IF mine = 0 AND share < l.min_permits THEN
		share := 0;
	ELSE
		share := greatest(l.min_permits, least(share, l.max_permits));
	END IF;
	free := least(share - mine, l.capacity - ours - mine);
END
$$;

-- Returns the wait for n permits of a key of a dynamic window. If the permits never become available, the function
-- returns the time until the current bucket leaves the window.
CREATE OR REPLACE FUNCTION sluice_shared_wait(l sluice_limit, s sluice_rate, n bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
	t bigint;
BEGIN
	FOR t IN SELECT s.seen UNION
		SELECT start + l.length * l.buckets FROM sluice_rate r, unnest(r.starts) start
			WHERE r.resource = l.resource AND r.key <> s.key AND start + l.length * l.buckets > s.seen UNION
		SELECT start + l.length * l.buckets FROM unnest(s.starts) start WHERE start + l.length * l.buckets > s.seen
		ORDER BY 1
	LOOP
		IF (sluice_share(l, s, t)).free >= n THEN
			RETURN t - s.seen;
		END IF;
	END LOOP;
	RETURN l.length * l.buckets - s.seen % l.length;
END
$$;

-- Rates: decisions

-- Locks the definition of a limit, shared, and then a key until the end of the transaction. All keys of a dynamic
-- window have one lock. Returns the definition, whose columns are null if the limit does not exist. The function
-- fails if the isolation level is not READ COMMITTED.
CREATE OR REPLACE FUNCTION sluice_lock(p_resource bytea, p_key bytea) RETURNS sluice_limit LANGUAGE plpgsql AS $$
DECLARE
	l sluice_limit;
BEGIN
	IF current_setting('transaction_isolation') <> 'read committed' THEN
		RAISE EXCEPTION 'Sluice needs the isolation level READ COMMITTED';
	END IF;
	PERFORM pg_advisory_xact_lock_shared(hashtextextended(encode(p_resource, 'hex'), 7));
	SELECT * INTO l FROM sluice_limit WHERE resource = p_resource;
	PERFORM pg_advisory_xact_lock(hashtextextended(encode(p_resource, 'hex')
		|| CASE WHEN l.kind = 'D' THEN '' ELSE '.' || encode(p_key, 'hex') END, 8));
	RETURN l;
END
$$;

-- Returns the state of a key. If "p_write" is true, the function locks the row. If the row does not exist, the
-- function returns an empty state. If the kind or the length of the limit has changed, the used permits count as
-- granted now.
CREATE OR REPLACE FUNCTION sluice_load(l sluice_limit, p_key bytea, p_write boolean) RETURNS sluice_rate
LANGUAGE plpgsql AS $$
DECLARE
	s sluice_rate;
	used bigint;
BEGIN
	IF p_write THEN
		SELECT * INTO s FROM sluice_rate WHERE resource = l.resource AND key = p_key FOR UPDATE;
	ELSE
		SELECT * INTO s FROM sluice_rate WHERE resource = l.resource AND key = p_key;
	END IF;
	IF s.key IS NULL THEN
		RETURN ROW(l.resource, p_key, l.kind, l.length, l.buckets, '{}'::bigint[], '{}'::bigint[], sluice_now(), 0,
			0, 0, l.version, false)::sluice_rate;
	END IF;
	s.seen := greatest(s.seen, sluice_now());
	IF s.kind <> l.kind OR s.length <> l.length OR l.kind = 'T' AND s.buckets <> l.buckets THEN
		used := sluice_used(s, s.seen);
		s.kind := l.kind;
		s.length := l.length;
		s.buckets := l.buckets;
		s.starts := '{}';
		s.counts := '{}';
		s.total := 0;
		s.since := 0;
		s := sluice_added(s, used, s.seen);
	END IF;
	s.buckets := l.buckets;
	s.version := l.version;
	IF l.kind = 'D' AND sluice_used(s, s.seen) = 0 THEN
		s.since := 0;
	END IF;
	RETURN s;
END
$$;

-- Writes the state of a key. A key of a dynamic window that becomes active receives its place among the active
-- keys.
CREATE OR REPLACE FUNCTION sluice_save(s sluice_rate) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF s.kind = 'D' AND s.since = 0 THEN
		s.since := nextval('sluice_sequence');
	END IF;
	s.waited := EXISTS (SELECT FROM sluice_line WHERE resource = s.resource AND key = s.key AND granted IS NULL);
	s.ends := sluice_ends(s);
	IF s.kind = 'D' AND sluice_used(s, s.seen) = 0 THEN
		s.ends := 0;
	END IF;
	INSERT INTO sluice_rate SELECT s.* ON CONFLICT (resource, key) DO UPDATE SET kind = excluded.kind,
		length = excluded.length, buckets = excluded.buckets, starts = excluded.starts, counts = excluded.counts,
		seen = excluded.seen, ends = excluded.ends, since = excluded.since, total = excluded.total,
		version = excluded.version, waited = excluded.waited;
END
$$;

-- Returns the wait for n permits, regardless of the line. If n exceeds the limit, the function returns the length
-- of the window.
CREATE OR REPLACE FUNCTION sluice_earliest(l sluice_limit, s sluice_rate, n bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
	IF n > l.max_permits THEN
		RETURN greatest(1, l.length * l.buckets);
	ELSIF l.kind = 'D' THEN
		RETURN sluice_shared_wait(l, s, n);
	END IF;
	RETURN sluice_wait(s, l.max_permits, n, s.seen);
END
$$;

-- Returns the first waiting entry of the line of a key, or nulls if the line is empty. Entries of dead nodes that
-- precede it are deleted.
CREATE OR REPLACE FUNCTION sluice_first(p_resource bytea, p_key bytea) RETURNS sluice_line LANGUAGE plpgsql AS $$
DECLARE
	f sluice_line;
BEGIN
	LOOP
		SELECT * INTO f FROM sluice_line WHERE resource = p_resource AND key = p_key AND granted IS NULL
			ORDER BY place, entry LIMIT 1;
		IF f.node IS NULL OR EXISTS (SELECT FROM sluice_node n WHERE n.node = f.node AND n.till > sluice_now()) THEN
			RETURN f;
		END IF;
		DELETE FROM sluice_line WHERE node = f.node AND entry = f.entry;
	END LOOP;
END
$$;

-- Returns the wait of a new call for n permits if all waiters remain in the line. The result is a lower bound if
-- the line has more than 100 waiters, or if it depends on the permits that other keys of a dynamic window use.
CREATE OR REPLACE FUNCTION sluice_behind(l sluice_limit, s sluice_rate, n bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	t bigint := s.seen;
	max_permits bigint := l.max_permits;
	size bigint;
BEGIN
	IF l.kind = 'D' THEN
		max_permits := greatest(1, (sluice_share(l, s, t)).share);
	END IF;
	FOR size IN SELECT permits FROM sluice_line WHERE resource = l.resource AND key = s.key AND granted IS NULL
		ORDER BY place, entry LIMIT 100
	LOOP
		size := least(size, max_permits);
		t := t + sluice_wait(s, max_permits, size, t);
		s := sluice_added(s, size, t);
	END LOOP;
	RETURN greatest(1, t + sluice_wait(s, max_permits, least(n, max_permits), t) - s.seen);
END
$$;

-- If "p_relaxed" is true, the commit of the transaction does not wait for the disk.
CREATE OR REPLACE FUNCTION sluice_relax(p_relaxed boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF p_relaxed THEN
		PERFORM set_config('synchronous_commit', 'off', true);
	END IF;
END
$$;

-- Takes the permits of each of the calls for one key that arrive together, and decides on the calls first come,
-- first served. Returns the version of the limit and the time of the decision. If one UPDATE grants all calls, the
-- array ends there. Otherwise, it continues with the reason and the wait of each call. The reason is 0 for a
-- grant, 1 if the limit rejects the call, and 2 if the key has a line. If the limit does not exist or is a
-- concurrency limit, the array has only a version of 0.
--
-- If the caller has the current version of the limit and the permits of all calls together do not exceed the
-- limit, it passes the kind. For the kinds W and T, one UPDATE then grants all calls without locks of the limit or
-- the key, if the row shows that the permits are available. The other path costs several times as much. A change
-- of the limit or a new waiter that is concurrent with the UPDATE comes after this call. If the UPDATE does not
-- grant the calls, sluice_rejected decides, and then sluice_take_locked.
CREATE OR REPLACE FUNCTION sluice_take(p_resource bytea, p_key bytea, p_version bigint, p_kind text,
	p_max_permits bigint, p_together bigint, p_permits bigint[], p_relaxed boolean) RETURNS bigint[]
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	t bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
	answer bigint[];
	relaxed text;
BEGIN
	IF p_kind = 'T' THEN
		UPDATE sluice_rate SET seen = greatest(t, seen), since = greatest(t, seen), total = p_together * length
				+ greatest(0, total - ((greatest(t, seen) - since) << buckets::int)),
			ends = greatest(t, seen) + (p_max_permits * length >> buckets::int) + 1
			WHERE resource = p_resource AND key = p_key AND version = p_version AND NOT waited
			AND p_together * length + total - ((greatest(t, seen) - since) << buckets::int) <= p_max_permits * length
			AND t - since < 1::bigint << 42
			AND (SELECT l.version FROM sluice_limit l WHERE l.resource = p_resource) = p_version
			RETURNING ARRAY[p_version, seen] INTO answer;
	ELSIF p_kind = 'W' THEN
		UPDATE sluice_rate SET seen = greatest(t, seen), total = total + p_together,
			ends = greatest(t, seen) - greatest(t, seen) % length + length * buckets,
			starts = CASE WHEN starts[cardinality(starts)] = greatest(t, seen) - greatest(t, seen) % length THEN starts
				ELSE starts || greatest(t, seen) - greatest(t, seen) % length END,
			counts = CASE WHEN starts[cardinality(starts)] = greatest(t, seen) - greatest(t, seen) % length
				THEN counts[: cardinality(counts) - 1] || counts[cardinality(counts)] + p_together
				ELSE counts || p_together END
			WHERE resource = p_resource AND key = p_key AND version = p_version AND NOT waited
			AND total + p_together <= p_max_permits AND cardinality(starts) < buckets + 10
			AND (SELECT l.version FROM sluice_limit l WHERE l.resource = p_resource) = p_version
			RETURNING ARRAY[p_version, seen] INTO answer;
	END IF;
	IF answer IS NULL THEN
		RETURN coalesce(sluice_rejected(p_resource, p_key, p_version, p_max_permits, p_permits),
			sluice_take_locked(p_resource, p_key, p_permits, p_relaxed));
	END IF;
	IF p_relaxed THEN
		relaxed := set_config('synchronous_commit', 'off', true);
	END IF;
	RETURN answer;
END
$$;

-- Returns the rejections of calls for one key, in the format of sluice_take, if none of the calls can be granted.
-- Otherwise, or if the row is not sufficient for the decision, returns NULL. The function writes no rows and
-- acquires no locks.
CREATE OR REPLACE FUNCTION sluice_rejected(p_resource bytea, p_key bytea, p_version bigint, p_max_permits bigint,
	p_permits bigint[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
	s sluice_rate;
	answer bigint[];
	n bigint;
	wait bigint;
BEGIN
	SELECT * INTO s FROM sluice_rate r WHERE r.resource = p_resource AND r.key = p_key AND r.version = p_version
		AND NOT r.waited AND r.kind <> 'D'
		AND p_version = (SELECT l.version FROM sluice_limit l WHERE l.resource = p_resource);
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	s.seen := greatest(s.seen, sluice_now());
	answer := ARRAY[p_version, s.seen];
	FOREACH n IN ARRAY p_permits LOOP
		wait := CASE WHEN n > p_max_permits THEN greatest(1, s.length * s.buckets)
			ELSE sluice_wait(s, p_max_permits, n, s.seen) END;
		IF wait = 0 THEN
			RETURN NULL;
		END IF;
		answer := answer || 1::bigint || wait;
	END LOOP;
	RETURN answer;
END
$$;

-- Decides on calls for one key under the locks of sluice_lock. Returns an array in the format of sluice_take, with
-- the reason and the wait of each call.
CREATE OR REPLACE FUNCTION sluice_take_locked(p_resource bytea, p_key bytea, p_permits bigint[],
	p_relaxed boolean) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
	s sluice_rate;
	answer bigint[];
	taken boolean := false;
	line boolean;
	n bigint;
	wait bigint;
BEGIN
	IF l.version IS NULL OR l.kind = 'H' THEN
		RETURN ARRAY[0];
	END IF;
	s := sluice_load(l, p_key, true);
	line := (sluice_first(p_resource, p_key)).node IS NOT NULL;
	answer := ARRAY[l.version, s.seen];
	FOREACH n IN ARRAY p_permits LOOP
		IF line THEN
			answer := answer || 2::bigint || sluice_behind(l, s, n);
		ELSE
			wait := sluice_earliest(l, s, n);
			answer := answer || CASE WHEN wait > 0 THEN 1::bigint ELSE 0 END || wait;
			IF wait = 0 THEN
				s := sluice_added(s, n, s.seen);
				taken := true;
			END IF;
		END IF;
	END LOOP;
	IF taken OR s.ends > 0 AND l.kind <> 'D' AND NOT line THEN
		PERFORM sluice_save(s);
	END IF;
	PERFORM sluice_relax(p_relaxed);
	RETURN answer;
END
$$;

-- The waiting line

-- Grants available permits to the first entries of the line, and sets the time at which the node of the next entry
-- checks the line. An entry whose permits exceed the limit receives -1. Returns the nodes to notify. The caller
-- must have the locks of sluice_lock.
CREATE OR REPLACE FUNCTION sluice_serve_locked(l sluice_limit, p_key bytea) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	f sluice_line := sluice_first(l.resource, p_key);
	s sluice_rate;
	wake text[] := '{}';
	wait bigint;
	held bigint;
	granted_now bigint;
	taken boolean := false;
BEGIN
	IF l.kind = 'H' THEN
		DELETE FROM sluice_hold WHERE resource = l.resource AND key = p_key AND till <= sluice_now();
	END IF;
	IF f.node IS NULL THEN
		RETURN wake;
	END IF;
	IF l.kind <> 'H' THEN
		s := sluice_load(l, p_key, true);
	END IF;
	WHILE f.node IS NOT NULL LOOP
		IF f.permits > l.max_permits THEN
			granted_now := -1;
		ELSIF l.kind = 'H' THEN
			SELECT coalesce(sum(permits), 0), min(till) - sluice_now() INTO held, wait
				FROM (SELECT max(permits) AS permits, max(till) AS till FROM sluice_hold
				WHERE resource = l.resource AND key = p_key GROUP BY token) each;
			EXIT WHEN held + f.permits > l.max_permits;
			granted_now := nextval('sluice_sequence');
			INSERT INTO sluice_hold SELECT node, entry, resource, key, owner, f.permits, granted_now, sluice_now(),
				sluice_now() + l.lease FROM sluice_line
				WHERE resource = l.resource AND key = p_key AND place = f.place AND granted IS NULL;
		ELSE
			wait := sluice_earliest(l, s, f.permits);
			EXIT WHEN wait > 0;
			s := sluice_added(s, f.permits, s.seen);
			granted_now := s.seen;
			taken := true;
			IF l.kind = 'D' THEN
				PERFORM sluice_save(s);
			END IF;
		END IF;
		WITH told AS (UPDATE sluice_line SET granted = granted_now, look = NULL WHERE resource = l.resource
			AND key = p_key AND place = f.place AND granted IS NULL RETURNING node)
			SELECT wake || array_agg(node) INTO wake FROM told;
		f := sluice_first(l.resource, p_key);
	END LOOP;
	IF taken THEN
		PERFORM sluice_save(s);
	END IF;
	IF f.node IS NOT NULL THEN
		UPDATE sluice_line SET look = sluice_now() + greatest(1, coalesce(wait, 0))
			WHERE node = f.node AND entry = f.entry;
		wake := wake || f.node;
	END IF;
	RETURN wake;
END
$$;

-- Serves the line of a key under the locks of sluice_lock. If the limit does not exist, the waiting entries
-- receive -1. Returns the nodes to notify.
CREATE OR REPLACE FUNCTION sluice_serve(p_resource bytea, p_key bytea, p_relaxed boolean) RETURNS text[]
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
BEGIN
	IF l.version IS NULL THEN
		UPDATE sluice_line SET granted = -1 WHERE resource = p_resource AND key = p_key AND granted IS NULL;
	ELSIF l.kind <> 'H' THEN
		PERFORM sluice_relax(p_relaxed);
	END IF;
	RETURN sluice_serve_locked(l, p_key);
END
$$;

-- Takes a call of a node, and grants its permits or adds an entry to the line, under the locks of sluice_lock. If
-- "p_longest", the longest wait, is negative, the wait is unlimited. If it is 0, the call does not wait. Returns
-- the version of the limit and the nodes to notify. If the limit does not exist, the version is 0 and no permits
-- are granted.
--
-- "reason" is 0 for a grant, and "value" is the token, or the time of the grant for a rate. "reason" is 1 if the
-- limit rejects the call, 2 if the key has a line, and 3 if the call has an entry in the line. With these, "value"
-- is the wait, which is -1 for a concurrency limit. "reason" is 4 if the owner holds fewer permits than requested,
-- and 5 if it waits for fewer. With these, "value" is that number of permits.
CREATE OR REPLACE FUNCTION sluice_enter(p_resource bytea, p_key bytea, p_node text, p_entry bigint, p_permits bigint,
	p_owner bytea, p_longest bigint, p_relaxed boolean, OUT version bigint, OUT reason bigint, OUT value bigint,
	OUT wake text[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
	s sluice_rate;
	h sluice_hold;
	f sluice_line;
	joined sluice_line;
	held bigint;
BEGIN
	version := coalesce(l.version, 0);
	wake := '{}';
	reason := 0;
	IF version = 0 THEN
		RETURN;
	END IF;
	IF l.kind = 'H' THEN
		IF EXISTS (SELECT FROM sluice_hold WHERE resource = p_resource AND key = p_key AND till <= sluice_now()) THEN
			wake := sluice_serve_locked(l, p_key);
		END IF;
		SELECT * INTO h FROM sluice_hold WHERE resource = p_resource AND key = p_key AND owner = p_owner LIMIT 1;
		IF h.node IS NOT NULL THEN
			value := CASE WHEN p_permits > h.permits THEN h.permits ELSE h.token END;
			reason := CASE WHEN p_permits > h.permits THEN 4 ELSE 0 END;
			IF reason = 0 THEN
				INSERT INTO sluice_hold VALUES (p_node, p_entry, p_resource, p_key, p_owner, h.permits, h.token,
					h.since, sluice_now() + l.lease);
			END IF;
			RETURN;
		END IF;
		SELECT coalesce(sum(permits), 0) INTO held FROM (SELECT max(permits) AS permits FROM sluice_hold
			WHERE resource = p_resource AND key = p_key GROUP BY token) each;
		f := sluice_first(p_resource, p_key);
		IF f.node IS NULL AND held + p_permits <= l.max_permits THEN
			value := nextval('sluice_sequence');
			INSERT INTO sluice_hold VALUES (p_node, p_entry, p_resource, p_key, p_owner, p_permits, value, sluice_now(),
				sluice_now() + l.lease);
			RETURN;
		END IF;
		value := -1;
		SELECT * INTO joined FROM sluice_line WHERE resource = p_resource AND key = p_key AND owner = p_owner
			AND granted IS NULL LIMIT 1;
		IF p_permits > joined.permits AND p_longest <> 0 THEN
			reason := 5;
			value := joined.permits;
			RETURN;
		END IF;
	ELSE
		PERFORM sluice_relax(p_relaxed);
		s := sluice_load(l, p_key, true);
		f := sluice_first(p_resource, p_key);
		IF f.node IS NULL THEN
			value := sluice_earliest(l, s, p_permits);
			IF value = 0 THEN
				PERFORM sluice_save(sluice_added(s, p_permits, s.seen));
				value := s.seen;
				RETURN;
			END IF;
		ELSE
			value := sluice_behind(l, s, p_permits);
		END IF;
	END IF;
	reason := CASE WHEN f.node IS NULL THEN 1 ELSE 2 END;
	IF p_longest = 0 OR p_longest > 0 AND value > p_longest OR p_permits > l.max_permits OR joined.node IS NULL
		AND (SELECT count(*) FROM sluice_line WHERE resource = p_resource AND key = p_key AND granted IS NULL)
			>= l.waiting
	THEN
		RETURN;
	END IF;
	reason := 3;
	IF NOT EXISTS (SELECT FROM sluice_node WHERE node = p_node AND till > sluice_now()) THEN
		INSERT INTO sluice_node VALUES (p_node, sluice_now() + 10000000)
			ON CONFLICT (node) DO UPDATE SET till = excluded.till;
	END IF;
	INSERT INTO sluice_line VALUES (p_node, p_entry, p_resource, p_key, p_owner, coalesce(joined.permits, p_permits),
		coalesce(joined.place, nextval('sluice_sequence')), NULL, NULL);
	IF l.kind <> 'H' THEN
		PERFORM sluice_save(s);
	END IF;
	IF f.node IS NULL THEN
		wake := wake || sluice_serve_locked(l, p_key);
	END IF;
END
$$;

-- Removes entries of a node from their lines, or undoes their grants. Takes the limit and the key of each entry.
-- Returns the entries that existed, and the nodes to notify. The function acquires the locks of all limits and
-- then of all keys, each in ascending order, so that two calls do not deadlock.
CREATE OR REPLACE FUNCTION sluice_leave(p_node text, p_entries bigint[], p_resources bytea[], p_keys bytea[],
	OUT removed bigint[], OUT wake text[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit;
	s sluice_rate;
	gone record;
	every record;
	id bigint;
BEGIN
	removed := '{}';
	wake := '{}';
	FOR id IN SELECT DISTINCT hashtextextended(encode(r, 'hex'), 7) FROM unnest(p_resources) r ORDER BY 1 LOOP
		PERFORM pg_advisory_xact_lock_shared(id);
	END LOOP;
	FOR id IN SELECT DISTINCT hashtextextended(encode(e.resource, 'hex')
		|| CASE WHEN x.kind = 'D' THEN '' ELSE '.' || encode(e.key, 'hex') END, 8)
		FROM unnest(p_resources, p_keys) AS e(resource, key) LEFT JOIN sluice_limit x ON x.resource = e.resource
		ORDER BY 1
	LOOP
		PERFORM pg_advisory_xact_lock(id);
	END LOOP;
	FOR every IN SELECT e.resource, e.key, array_agg(e.entry) AS entries
		FROM unnest(p_entries, p_resources, p_keys) AS e(entry, resource, key) GROUP BY e.resource, e.key ORDER BY 1, 2
	LOOP
		l := sluice_lock(every.resource, every.key);
		FOR gone IN DELETE FROM sluice_line WHERE node = p_node AND entry = ANY (every.entries) RETURNING * LOOP
			removed := removed || gone.entry;
			IF l.kind <> 'H' AND gone.granted > 0 THEN
				s := sluice_load(l, every.key, true);
				PERFORM sluice_save(sluice_without(s, gone.permits, gone.granted));
			END IF;
		END LOOP;
		FOR id IN DELETE FROM sluice_hold WHERE node = p_node AND entry = ANY (every.entries) RETURNING entry LOOP
			removed := removed || id;
		END LOOP;
		IF l.version IS NOT NULL THEN
			wake := wake || sluice_serve_locked(l, every.key);
		END IF;
	END LOOP;
END
$$;

-- Takes the entries whose grants a node confirms, and deletes them from the line. Returns the other entries of the
-- node that are granted or have a check time. "granted" is 0 if the entry is not granted. "wait" is the time until
-- the check of the line. The function acquires no locks of limits or keys.
CREATE OR REPLACE FUNCTION sluice_pick(p_node text, p_known bigint[])
RETURNS TABLE (entry bigint, granted bigint, wait bigint)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	IF cardinality(p_known) > 0 THEN
		DELETE FROM sluice_line l WHERE l.node = p_node AND l.entry = ANY (p_known) AND l.granted IS NOT NULL;
	END IF;
	RETURN QUERY SELECT l.entry, coalesce(l.granted, 0), coalesce(l.look - sluice_now(), 0) FROM sluice_line l
		WHERE l.node = p_node AND (l.granted IS NOT NULL OR l.look IS NOT NULL);
END
$$;

-- Holdings of a concurrency limit

-- If "p_node" is null, releases all entries that the owner was granted at least "p_entry" microseconds ago, so
-- that a repeated release does not affect later grants. Otherwise, releases only that entry of the node. Returns
-- whether an entry was released, and the nodes to notify. The function acquires the locks of sluice_lock.
CREATE OR REPLACE FUNCTION sluice_exit(p_resource bytea, p_key bytea, p_owner bytea, p_node text, p_entry bigint,
	OUT released boolean, OUT wake text[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
BEGIN
	IF p_node IS NULL THEN
		DELETE FROM sluice_hold WHERE resource = p_resource AND key = p_key AND owner = p_owner AND till > sluice_now()
			AND since <= sluice_now() - p_entry;
	ELSE
		DELETE FROM sluice_hold WHERE node = p_node AND entry = p_entry;
	END IF;
	released := FOUND;
	wake := CASE WHEN l.version IS NULL THEN '{}' ELSE sluice_serve_locked(l, p_key) END;
END
$$;

-- Renews the lease of a node and the leases of its entries, except for entries whose rows are locked. Returns the
-- renewed entries, and all entries that the node still holds. The function acquires no locks of limits or keys.
CREATE OR REPLACE FUNCTION sluice_renew(p_node text, p_lease bigint, p_entries bigint[], OUT renewed bigint[],
	OUT held bigint[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	renewed := '{}';
	held := '{}';
	INSERT INTO sluice_node VALUES (p_node, sluice_now() + p_lease)
		ON CONFLICT (node) DO UPDATE SET till = excluded.till;
	IF cardinality(p_entries) = 0 THEN
		RETURN;
	END IF;
	WITH free AS (SELECT node, entry FROM sluice_hold WHERE node = p_node AND entry = ANY (p_entries)
			AND till > sluice_now() FOR UPDATE SKIP LOCKED),
		done AS (UPDATE sluice_hold h SET till = sluice_now() + l.lease FROM free f, sluice_limit l
			WHERE h.node = f.node AND h.entry = f.entry AND l.resource = h.resource RETURNING h.entry)
		SELECT coalesce(array_agg(entry), '{}') INTO renewed FROM done;
	SELECT coalesce(array_agg(entry), '{}') INTO held FROM sluice_hold
		WHERE node = p_node AND entry = ANY (p_entries) AND till > sluice_now();
END
$$;

-- Administration

-- Undoes a grant of a rate, given its number of permits and its time, and serves the line, under the locks of
-- sluice_lock. Returns the nodes to notify.
CREATE OR REPLACE FUNCTION sluice_refund(p_resource bytea, p_key bytea, p_permits bigint, p_at bigint)
RETURNS text[] LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
BEGIN
	IF l.version IS NULL OR l.kind = 'H' THEN
		RETURN '{}';
	END IF;
	PERFORM sluice_save(sluice_without(sluice_load(l, p_key, true), p_permits, p_at));
	RETURN sluice_serve_locked(l, p_key);
END
$$;

-- Deletes the state of a key of a rate and serves the line, under the locks of sluice_lock. Returns whether the
-- key used permits, and the nodes to notify.
CREATE OR REPLACE FUNCTION sluice_forget(p_resource bytea, p_key bytea, OUT forgotten boolean, OUT wake text[])
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
	s sluice_rate;
BEGIN
	forgotten := false;
	wake := '{}';
	IF l.version IS NOT NULL AND l.kind <> 'H' THEN
		s := sluice_load(l, p_key, true);
		forgotten := sluice_used(s, s.seen) > 0;
		DELETE FROM sluice_rate WHERE resource = p_resource AND key = p_key;
		wake := sluice_serve_locked(l, p_key);
	END IF;
END
$$;

-- Returns the state of a key and creates no rows. "max_permits" is null if the limit does not exist. "retry" is
-- the wait for one permit, or -1 if it is unknown. "reset" is the time until the key becomes unused. "owner",
-- "permits" and "since" describe the oldest holder of a concurrency limit. The function acquires the locks of
-- sluice_lock and locks no row.
CREATE OR REPLACE FUNCTION sluice_look(p_resource bytea, p_key bytea, OUT max_permits bigint, OUT used bigint,
	OUT waiting bigint, OUT retry bigint, OUT reset bigint, OUT owner bytea, OUT permits bigint, OUT since bigint)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit := sluice_lock(p_resource, p_key);
	s sluice_rate;
BEGIN
	max_permits := l.max_permits;
	reset := 0;
	SELECT count(*) INTO waiting FROM sluice_line x WHERE resource = p_resource AND key = p_key AND granted IS NULL;
	IF l.kind = 'H' THEN
		SELECT coalesce(sum(each.permits), 0) INTO used FROM (SELECT max(h.permits) AS permits FROM sluice_hold h
			WHERE resource = p_resource AND key = p_key AND till > sluice_now() GROUP BY token) each;
		SELECT h.owner, h.permits, h.since INTO owner, permits, since FROM sluice_hold h
			WHERE resource = p_resource AND key = p_key AND till > sluice_now() ORDER BY token LIMIT 1;
		retry := CASE WHEN used < max_permits AND waiting = 0 THEN 0 ELSE -1 END;
	ELSIF l.version IS NOT NULL THEN
		s := sluice_load(l, p_key, false);
		used := sluice_used(s, s.seen);
		IF l.kind = 'D' THEN
			max_permits := (sluice_share(l, s, s.seen)).share;
		END IF;
		reset := CASE WHEN used = 0 THEN 0 ELSE greatest(0, sluice_ends(s) - s.seen) END;
		retry := CASE WHEN waiting > 0 THEN sluice_behind(l, s, 1) ELSE sluice_earliest(l, s, 1) END;
	END IF;
END
$$;

-- Returns the holders of permits, oldest first, and the number of waiters for the key of each.
CREATE OR REPLACE FUNCTION sluice_holders(p_resource bytea, p_top int)
RETURNS TABLE (key bytea, owner bytea, permits bigint, since bigint, waiting bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
	SELECT h.key, h.owner, max(h.permits), min(h.since), (SELECT count(*) FROM sluice_line x
		WHERE x.resource = p_resource AND x.key = h.key AND x.granted IS NULL)
		FROM sluice_hold h WHERE h.resource = p_resource AND h.till > sluice_now()
		GROUP BY h.token, h.key, h.owner ORDER BY h.token LIMIT p_top
$$;

-- Returns the keys with the largest usage, in descending order.
CREATE OR REPLACE FUNCTION sluice_hottest(p_resource bytea, p_top int) RETURNS TABLE (key bytea)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
	SELECT each.key FROM (
		SELECT r.key, sluice_used(r, greatest(r.seen, sluice_now())) AS used FROM sluice_rate r
			WHERE r.resource = p_resource
		UNION ALL
		SELECT h.key, h.permits FROM (SELECT DISTINCT x.key, x.token, x.permits FROM sluice_hold x
			WHERE x.resource = p_resource AND x.till > sluice_now()) h
	) each GROUP BY each.key HAVING sum(each.used) > 0 ORDER BY sum(each.used) DESC LIMIT p_top
$$;

-- Adds to the numbers of admitted and rejected calls of a limit. Returns both, and the number of waiters, of keys
-- in use and of held permits. The commit does not wait for the disk.
CREATE OR REPLACE FUNCTION sluice_count(p_resource bytea, p_admitted bigint, p_rejected bigint, OUT admitted bigint,
	OUT rejected bigint, OUT waiting bigint, OUT keys bigint, OUT held bigint)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	UPDATE sluice_limit l SET admitted = l.admitted + p_admitted, rejected = l.rejected + p_rejected
		WHERE resource = p_resource RETURNING l.admitted, l.rejected INTO admitted, rejected;
	SELECT count(*) INTO waiting FROM sluice_line WHERE resource = p_resource AND granted IS NULL;
	SELECT count(DISTINCT h.key), coalesce(sum(h.permits), 0) INTO keys, held FROM (SELECT DISTINCT x.key, x.token,
		x.permits FROM sluice_hold x WHERE x.resource = p_resource AND x.till > sluice_now()) h;
	keys := keys + (SELECT count(*) FROM sluice_rate r WHERE r.resource = p_resource AND r.ends > sluice_now());
	PERFORM set_config('synchronous_commit', 'off', true);
END
$$;

-- Defines a limit. If "p_op" is "open", the function creates or changes the definition. If "p_op" is "change", it
-- changes only an existing definition. A concurrency limit does not become a rate, nor a rate a concurrency limit:
-- the definition then remains. Returns the version and the terms of the resulting definition, or a version of 0 if
-- the limit does not exist. The function acquires the exclusive lock of the definition.
CREATE OR REPLACE FUNCTION sluice_define(p_op text, p_resource bytea, p_terms text, p_kind text, p_numbers bigint[],
	OUT version bigint, OUT terms text)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	l sluice_limit;
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended(encode(p_resource, 'hex'), 7));
	SELECT * INTO l FROM sluice_limit WHERE resource = p_resource;
	version := coalesce(l.version, 0);
	terms := l.terms;
	IF l.version IS NULL AND p_op = 'change' OR l.terms = p_terms OR (l.kind = 'H') <> (p_kind = 'H') THEN
		RETURN;
	END IF;
	version := nextval('sluice_sequence');
	terms := p_terms;
	INSERT INTO sluice_limit VALUES (p_resource, version, p_terms, p_kind, p_numbers[1], p_numbers[2], p_numbers[3],
		p_numbers[4], p_numbers[5], p_numbers[6], p_numbers[7])
		ON CONFLICT (resource) DO UPDATE SET version = excluded.version, terms = excluded.terms, kind = excluded.kind,
		max_permits = excluded.max_permits, length = excluded.length, buckets = excluded.buckets,
		capacity = excluded.capacity,
		min_permits = excluded.min_permits, waiting = excluded.waiting, lease = excluded.lease;
END
$$;

-- Returns the definition of a limit, or all definitions if "p_resource" is null.
CREATE OR REPLACE FUNCTION sluice_find(p_resource bytea) RETURNS TABLE (resource bytea, version bigint, terms text)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
	SELECT resource, version, terms FROM sluice_limit WHERE p_resource IS NULL OR resource = p_resource
$$;

-- Returns the keys of a limit that have waiters.
CREATE OR REPLACE FUNCTION sluice_waiting(p_resource bytea) RETURNS TABLE (key bytea)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
	SELECT DISTINCT key FROM sluice_line WHERE resource = p_resource AND granted IS NULL
$$;

-- Until version 6, sluice_places returned fewer columns.
DROP FUNCTION IF EXISTS sluice_places(text);

-- Returns the entries of a node in all lines, each with its limit and key and whether it has been granted.
CREATE OR REPLACE FUNCTION sluice_places(p_node text)
RETURNS TABLE (entry bigint, resource bytea, key bytea, done boolean)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
	SELECT entry, resource, key, granted IS NOT NULL FROM sluice_line WHERE node = p_node
$$;

-- Returns one waiting entry of a node for each line that no other node checks. The first entry of such a line
-- belongs to a dead node, or has no check time because an entry before it was dropped.
CREATE OR REPLACE FUNCTION sluice_stalled(p_node text) RETURNS TABLE (entry bigint)
LANGUAGE sql VOLATILE SET search_path FROM CURRENT AS $$
	SELECT mine.entry FROM (SELECT resource, key, min(entry) AS entry FROM sluice_line
		WHERE node = p_node AND granted IS NULL GROUP BY resource, key) mine
		CROSS JOIN LATERAL (SELECT f.node, f.look FROM sluice_line f
			WHERE f.resource = mine.resource AND f.key = mine.key AND f.granted IS NULL
			ORDER BY f.place, f.entry LIMIT 1) leader
		WHERE leader.look IS NULL
		OR NOT EXISTS (SELECT FROM sluice_node n WHERE n.node = leader.node AND n.till > sluice_now())
$$;

-- Returns the number of live nodes.
CREATE OR REPLACE FUNCTION sluice_nodes() RETURNS bigint LANGUAGE sql VOLATILE SET search_path FROM CURRENT AS $$
	SELECT count(*) FROM sluice_node WHERE till > sluice_now()
$$;

-- Removes a limit. Returns whether it was removed. A limit with held permits remains. If the limit is removed, its
-- waiting entries receive -1. The function acquires the exclusive lock of the definition.
CREATE OR REPLACE FUNCTION sluice_remove(p_resource bytea) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended(encode(p_resource, 'hex'), 7));
	IF EXISTS (SELECT FROM sluice_hold WHERE resource = p_resource AND till > sluice_now()) THEN
		RETURN false;
	END IF;
	DELETE FROM sluice_limit WHERE resource = p_resource;
	DELETE FROM sluice_hold WHERE resource = p_resource;
	DELETE FROM sluice_rate WHERE resource = p_resource;
	UPDATE sluice_line SET granted = -1 WHERE resource = p_resource AND granted IS NULL;
	RETURN true;
END
$$;

-- Runs on each table the kinds of statements that calls run, and deletes the rows of the limit, the key and the
-- entry again. The row of the node remains. The function fails if one of the statements fails.
CREATE OR REPLACE FUNCTION sluice_probe(p_node text) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	name bytea := convert_to(p_node, 'UTF8');
BEGIN
	PERFORM nextval('sluice_sequence');
	INSERT INTO sluice_node VALUES (p_node, 0) ON CONFLICT (node) DO UPDATE SET till = sluice_node.till;
	INSERT INTO sluice_limit VALUES (name, 0, '', '', 0, 0, 0, 0, 0, 0, 0);
	UPDATE sluice_limit SET version = 0 WHERE resource = name;
	DELETE FROM sluice_limit WHERE resource = name;
	INSERT INTO sluice_rate VALUES (name, name, '', 0, 0, '{}', '{}', 0, 0, 0, 0, 0, false);
	UPDATE sluice_rate SET seen = 0 WHERE resource = name;
	DELETE FROM sluice_rate WHERE resource = name;
	INSERT INTO sluice_hold VALUES (p_node, 0, name, name, name, 0, 0, 0, 0);
	UPDATE sluice_hold SET till = 0 WHERE node = p_node AND entry = 0;
	DELETE FROM sluice_hold WHERE node = p_node AND entry = 0;
	INSERT INTO sluice_line VALUES (p_node, 0, name, name, name, 0, 0, -1, NULL);
	UPDATE sluice_line SET granted = -1 WHERE node = p_node AND entry = 0;
	DELETE FROM sluice_line WHERE node = p_node AND entry = 0;
END
$$;

-- Deletes the rows of unused keys from some pages of their table. If "p_page" is 0, the function also deletes the
-- entries of dead nodes in lines, expired holdings, and nodes whose leases expired more than a minute ago. It
-- skips locked rows. Returns the page to continue with, or 0 after the last page. Before PostgreSQL 14, one call
-- reads all pages.
CREATE OR REPLACE FUNCTION sluice_sweep(p_page bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
	t bigint := sluice_now();
	pages bigint := pg_relation_size('sluice_rate'::regclass) / current_setting('block_size')::bigint;
	next bigint := CASE WHEN current_setting('server_version_num')::int < 140000 THEN pages ELSE p_page + 50 END;
BEGIN
	PERFORM set_config('synchronous_commit', 'off', true);
	DELETE FROM sluice_rate WHERE ctid = ANY (ARRAY(SELECT ctid FROM sluice_rate
		WHERE ctid >= format('(%s,0)', p_page)::tid AND ctid < format('(%s,0)', next)::tid AND ends < t
		FOR UPDATE SKIP LOCKED));
	IF p_page = 0 THEN
		DELETE FROM sluice_line x WHERE ctid = ANY (ARRAY(SELECT y.ctid FROM sluice_line y WHERE NOT EXISTS (SELECT
			FROM sluice_node n WHERE n.node = y.node AND n.till > t) LIMIT 1000 FOR UPDATE SKIP LOCKED));
		DELETE FROM sluice_hold WHERE ctid = ANY (ARRAY(SELECT ctid FROM sluice_hold WHERE till < t
			LIMIT 1000 FOR UPDATE SKIP LOCKED));
		DELETE FROM sluice_node WHERE ctid = ANY (ARRAY(SELECT ctid FROM sluice_node WHERE till < t - 60000000
			FOR UPDATE SKIP LOCKED));
	END IF;
	RETURN CASE WHEN next < pages THEN next ELSE 0 END;
END
$$;

DELETE FROM sluice_schema;
INSERT INTO sluice_schema VALUES (7);
