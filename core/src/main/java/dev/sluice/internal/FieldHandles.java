package dev.sluice.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Handles of fields that are read and written with other than volatile access. */
public final class FieldHandles {

	private FieldHandles() {
	}

	/** Returns the handle of a field of the class that looks it up. */
	public static VarHandle find(MethodHandles.Lookup lookup, String field, Class<?> type) {
		try {
			return lookup.findVarHandle(lookup.lookupClass(), field, type);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

}
