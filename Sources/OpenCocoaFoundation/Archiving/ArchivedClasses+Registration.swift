import CRuntime
import Foundation

extension ArchivedClasses {
  /// Tells every unarchiver of the process, once, who reads what; expressions ask for it when they are made.
  static let registered: Void = {
    for entry in readers { NSKeyedUnarchiver.setClass(entry.value, forClassName: entry.key) }
  }()

  /// Registers the classes when the program is loaded, if that is possible.
  ///
  /// A program that has the standard library linked into itself runs this before the library has chosen its hash seeds:
  /// what is filed now would not be found later.
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
