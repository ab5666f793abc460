package dev.sluice.redis.bus;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.sluice.redis.bus.partition.BusChannels;
import dev.sluice.redis.bus.partition.Partitions;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionsTests {

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 4, 6, 8, 12 })
	void mastersThatShareTheSlotsEvenlyHaveAsManyPartitionsEach(int masters) {
		Map<Integer, Long> partitions = Partitions.all()
			.stream()
			.map((partition) -> Partitions.slot(partition) * masters / SlotHash.SLOT_COUNT)
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		assertThat(partitions).hasSize(masters)
			.allSatisfy((master, count) -> assertThat(count).isEqualTo(24 / masters));
	}

	@Test
	void allKeysOfANameAreInTheSlotOfItsPartition() {
		BusNames names = new BusNames("écluse:");
		for (String name : new String[] { "t:room-7", "{a}", "é🙂", "}{" }) {
			int partition = Partitions.of(name);
			assertThat(names.published(name)).extracting(SlotHash::getSlot).containsOnly(Partitions.slot(partition));
			assertThat(SlotHash.getSlot(names.session(name))).isEqualTo(Partitions.slot(partition));
			assertThat(Partitions.in(names.session(name))).isEqualTo(partition);
			BusChannels channels = new BusChannels("écluse:", true);
			assertThat(SlotHash.getSlot(channels.node(partition, "node"))).isEqualTo(Partitions.slot(partition));
			assertThat(channels.partitionsOf(channels.all(partition))).containsExactly(partition);
		}
	}

	@Test
	void namesAreSpreadOverAllPartitions() {
		Map<Integer, Long> names = IntStream.range(0, 24_000)
			.mapToObj((index) -> Partitions.of("t:room-" + index))
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		assertThat(names).hasSize(24).allSatisfy((partition, count) -> assertThat(count).isBetween(800L, 1200L));
	}

}
