import CRuntime
import Foundation

extension ArchivedClasses {
  /// Registers the classes of `readers` once, for all unarchivers of the process. The initialiser of expressions triggers it.
  static let registered: Void = {
    for entry in readers { NSKeyedUnarchiver.setClass(entry.value, forClassName: entry.key) }
  }()

  /// Registers the classes while the program is loaded, unless the standard library is linked into the program.
  ///
  /// Such a program runs this function before the standard library has chosen its hash seeds. A dictionary entry that is
  /// stored now would not be found later.
  fileprivate static func registerWhenLoaded() {
    let function: @convention(c) () -> Void = { ArchivedClasses.registerWhenLoaded() }
    let isLinkedIn = runtime_same_image(
      unsafeBitCast(function, to: UnsafeRawPointer.self), unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self)
    )
    if isLinkedIn == 0 { _ = registered }
  }
}

// A process may decode an archive before it makes any predicate or expression, and an unarchiver looks for classes by
// name before it calls any of them. So the classes are registered while the program is loaded.
#if compiler(>=6.3)
  #if objectFormat(ELF)
    @used @section(".init_array")
    private nonisolated let registerArchivedClasses: @convention(c) () -> Void = {
      ArchivedClasses.registerWhenLoaded()
    }
  #endif
#elseif os(Linux) || os(Android)
  // Until Swift 6.3 these attributes were an experimental feature, which the manifest enables for this target.
  @_used @_section(".init_array")
  private nonisolated let registerArchivedClasses: @convention(c) () -> Void = { ArchivedClasses.registerWhenLoaded() }
#endif
