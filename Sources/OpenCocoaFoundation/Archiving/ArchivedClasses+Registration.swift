import CRuntime
import Foundation

extension ArchivedClasses {
  /// Registers the classes that read archives with all unarchivers of the process, once. Expressions use it when they are
  /// made.
  static let registered: Void = {
    for entry in readers { NSKeyedUnarchiver.setClass(entry.value, forClassName: entry.key) }
  }()

  /// Registers the classes when the program is loaded, if that is possible.
  ///
  /// A program into which the standard library is linked statically runs this before the library has chosen its hash seeds:
  /// keys that are added then would not be found later.
  fileprivate static func registerWhenLoaded() {
    let function: @convention(c) () -> Void = { ArchivedClasses.registerWhenLoaded() }
    let isLinkedIn = runtime_same_image(
      unsafeBitCast(function, to: UnsafeRawPointer.self), unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self)
    )
    if isLinkedIn == 0 { _ = registered }
  }
}

// An archive may be the first thing in a process that has to do with predicates, and an unarchiver looks for classes by
// name before it calls any of them. So this runs when the program is loaded.
#if objectFormat(ELF)
  @used @section(".init_array")
  private nonisolated let registerArchivedClasses: @convention(c) () -> Void = { ArchivedClasses.registerWhenLoaded() }
#endif
