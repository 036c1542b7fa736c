import CRuntime
import Foundation
import OpenCocoaFoundation
import Synchronization

/// The concurrency check behind `-com.apple.CoreData.ConcurrencyDebug 1` and `COREDATA_CONCURRENCYDEBUG=1`: the first
/// access to a context or an object off the context's queue stops the program.
///
/// Off unless `FrameworkStart` turns it on; then every access costs one test of a word that never changes.
enum ConcurrencyCheck {
  /// Called with each violation instead of ending the program, so that tests can provoke many at once.
  static let listener = Mutex<(@Sendable (String) -> Void)?>(nil)

  @inline(__always)
  static var isOn: Bool { runtime_checks_concurrency() != 0 }

  /// Stops the program if the calling thread may not use the context.
  @inline(never)
  static func verify(_ context: NSManagedObjectContext, _ access: String) {
    if context.isEntered { return }
    stop("\(describe(context)) was used off its queue: \(access).", context)
  }

  /// Stops the program if the calling thread may not use the object.
  @inline(never)
  static func verify(_ object: NSManagedObject, _ access: String) {
    guard let context = object.table?.context, !context.isEntered else { return }
    let address = UInt(bitPattern: ObjectIdentifier(object))
    stop(
      "<\(type(of: object)) 0x\(String(address, radix: 16))> (entity: \(object.layout.name); id: "
        + "\(object.objectID.uriRepresentation().absoluteString)) of \(describe(context)) was used off its queue: "
        + "\(access).", context)
  }

  private static func describe(_ context: NSManagedObjectContext) -> String {
    let address = UInt(bitPattern: ObjectIdentifier(context))
    let name = context.name.map { " \"\($0)\"" } ?? ""
    let kind =
      switch context.concurrencyType {
      case .mainQueueConcurrencyType: "main queue"
      case .privateQueueConcurrencyType: "private queue"
      default: "confined to thread \(context.home)"
      }
    return "<\(type(of: context)) 0x\(String(address, radix: 16))>\(name) (\(kind))"
  }

  private static func stop(_ text: String, _ context: NSManagedObjectContext) {
    let place = MainQueue.isCurrent ? "the main thread" : "thread \(runtime_thread_number())"
    let inside = ContextStack.innermostContext.map { "inside of \(describe($0))" } ?? "inside of no context's block"
    let remedy =
      context.isConfined
      ? "A confinement context is used on the thread that made it."
      : "Use perform or performAndWait of the context."
    let message =
      "+[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]: CoreData: error: \(text) The "
      + "caller was on \(place), \(inside). \(remedy)"
    guard let listener = listener.withLock({ $0 }) else { OpenCocoaFoundation.stop(message) }
    listener(message)
  }
}

extension NSManagedObjectContext {
  /// Whether the calling thread may use the context now.
  final var isEntered: Bool {
    if ContextStack.contains(self) { return true }
    switch concurrencyType {
    case .privateQueueConcurrencyType: return false
    case .mainQueueConcurrencyType: return MainQueue.isCurrent || ContextStack.containsMainQueue
    default:
      return home == runtime_thread_number() || exclusion.isHeld
        || isHomeMain && (MainQueue.isCurrent || ContextStack.containsMainQueue)
    }
  }

  /// Whether the context has no queue, and belongs to the thread that made it.
  @inline(__always)
  final var isConfined: Bool { concurrencyType.rawValue == 0 }

  /// Every method that belongs to the context's queue calls this first.
  @inline(__always)
  final func checkQueue(_ access: @autoclosure () -> String = #function) {
    if ConcurrencyCheck.isOn { ConcurrencyCheck.verify(self, access()) }
  }
}

extension NSManagedObject {
  /// Every method that belongs to the queue of the object's context calls this first.
  @inline(__always)
  final func checkQueue(_ access: @autoclosure () -> String = #function) {
    if ConcurrencyCheck.isOn { ConcurrencyCheck.verify(self, access()) }
  }
}
