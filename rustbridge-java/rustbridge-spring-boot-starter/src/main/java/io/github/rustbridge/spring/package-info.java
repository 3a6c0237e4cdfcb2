/** Typed clients as beans of Spring Boot. */
package io.github.rustbridge.spring;
