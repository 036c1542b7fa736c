import Foundation

// The members that UIKit and AppKit add to IndexPath on Apple's systems, for lists with sections.
extension IndexPath {
  /// The path of an item in a section.
  public init(item: Int, section: Int) { self = [section, item] }

  /// The path of a row in a section.
  public init(row: Int, section: Int) { self = [section, row] }

  /// The section: the path's first index.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The item in the section: the path's second index.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The row in the section: the path's second index.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
