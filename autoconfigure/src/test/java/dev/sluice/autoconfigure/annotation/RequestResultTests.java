package dev.sluice.autoconfigure.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.async.DeferredResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequestResultTests {

	private final List<Boolean> ends = new ArrayList<>();

	private final RequestResult result = new RequestResult(this.ends::add);

	private final ServletRequestAttributes attributes = new ServletRequestAttributes(new MockHttpServletRequest());

	private final NativeWebRequest request = new ServletWebRequest(new MockHttpServletRequest(),
			new MockHttpServletResponse());

	private final Callable<String> task = () -> "done";

	@BeforeEach
	void begin() {
		RequestContextHolder.setRequestAttributes(this.attributes);
	}

	@AfterEach
	void end() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void endsOnceWithItsValue() {
		this.result.postProcess(this.request, new DeferredResult<>(), "done");
		this.result.afterCompletion(this.request, new DeferredResult<>());
		assertThat(this.ends).containsExactly(false);
	}

	@Test
	void callableThatRunsIsNotEndedByItsRequest() {
		this.result.preProcess(this.request, this.task);
		this.result.afterCompletion(this.request, this.task);
		assertThat(this.ends).isEmpty();
		this.result.postProcess(this.request, this.task, new IllegalStateException());
		assertThat(this.ends).containsExactly(true);
	}

	@Test
	void callableThatHasNotBegunIsEndedByItsRequestAndDoesNotBegin() {
		this.result.afterCompletion(this.request, this.task);
		assertThat(this.ends).containsExactly(true);
		assertThatExceptionOfType(CancellationException.class)
			.isThrownBy(() -> this.result.preProcess(this.request, this.task));
	}

	@Test
	void whenNothingProcessesTheResultThenItEndsWithTheRequest() {
		new RequestResults().follow(this.task, this.ends::add);
		assertThat(this.ends).isEmpty();
		this.attributes.requestCompleted();
		assertThat(this.ends).containsExactly(true);
	}

	@Test
	void whenThereIsNoRequestThenTheResultIsRejected() {
		RequestContextHolder.resetRequestAttributes();
		assertThatIllegalStateException().isThrownBy(() -> new RequestResults().follow(this.task, this.ends::add))
			.withMessageEndingWith("that holds permits was returned on a thread that handles no request");
	}

}
