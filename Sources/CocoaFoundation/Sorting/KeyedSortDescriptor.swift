import Foundation

/// A sort descriptor with a key of key-value coding, which Foundation's own lacks here.
final class KeyedSortDescriptor: NSSortDescriptor {
  /// How two values are ordered.
  enum Order {
    case selector(Selector)
    case comparator(Comparator)
  }

  /// Where the values are found.
  enum Source {
    case evaluatedObject
    case key(String)
    /// A Swift key path, whose name generated code may register later.
    case keyPath(AnyKeyPath)
  }

  let source: Source
  let order: Order

  init(source: Source, ascending: Bool, order: Order) {
    self.source = source
    self.order = order
    // Foundation knows only sorting by Swift key paths; this one is never read.
    super.init(keyPath: \Unread.value, ascending: ascending)
  }

  private struct Unread {
    var value = 0
  }
}
