#if THREAD_SANITIZER
  @testable import OpenCoreData

  /// Tests take the framework's, too; see there.
  typealias Mutex = OpenCoreData.Mutex
#endif
