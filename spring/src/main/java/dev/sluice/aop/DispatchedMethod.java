package dev.sluice.aop;

import java.lang.reflect.Method;

/**
 * A method that a dispatcher calls.
 *
 * @param method the method, as its class declares or inherits it
 * @param targetClass the class of the object that is called
 */
record DispatchedMethod(Method method, Class<?> targetClass) {

}
