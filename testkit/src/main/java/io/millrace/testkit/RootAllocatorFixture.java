package io.millrace.testkit;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A root allocator for each test; a test that leaves memory in it fails. Use it as a
 * {@code @RegisterExtension} field. A test that failed already keeps its own failure.
 */
public final class RootAllocatorFixture implements BeforeEachCallback, AfterEachCallback {
  private BufferAllocator allocator;

  /** The allocator of the running test. */
  public BufferAllocator allocator() {
    return allocator;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    allocator = new RootAllocator();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    try {
      allocator.close();
    } catch (IllegalStateException leak) {
      if (context.getExecutionException().isEmpty()) {
        throw leak;
      }
    }
  }
}
