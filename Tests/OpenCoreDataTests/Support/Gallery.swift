import CoreData
import Foundation

/// A model in which inverses do not lead back: that of `Picture.painter` is `Painter.portrait`, whose own is
/// `Picture.subject`; two to-many relationships are stored in `painter`, and `tags` and `labels` have one inverse.
enum Gallery {
  static let xml = """
    <model><entity name="Painter"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="pictures" optional="YES" toMany="YES" destinationEntity="Picture" inverseName="painter"/>
    <relationship name="portrait" optional="YES" maxCount="1" destinationEntity="Picture" inverseName="subject"/>
    <relationship name="sketches" optional="YES" toMany="YES" destinationEntity="Picture" inverseName="painter"/></entity>
    <entity name="Picture"><attribute name="title" optional="YES" attributeType="String"/>
    <relationship name="labels" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="pictures"/>
    <relationship name="painter" optional="YES" maxCount="1" destinationEntity="Painter" inverseName="portrait"/>
    <relationship name="subject" optional="YES" maxCount="1" destinationEntity="Painter" inverseName="portrait"/>
    <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="pictures"/></entity>
    <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="pictures" optional="YES" toMany="YES" destinationEntity="Picture" inverseName="labels"/></entity>
    </model>
    """

  /// The XML with an order for `pictures` and `labels`, or for `sketches` and `tags`.
  static func ordered(pictures: Bool, sketches: Bool) -> String {
    // A tag has pictures, too, without an order.
    let painters = #"<relationship name="pictures" optional="YES" toMany="YES" destinationEntity="Picture""#
    let own = #" inverseName="painter""#
    let starts =
      (pictures ? [painters + own, #"<relationship name="labels""#] : [])
      + (sketches ? [#"<relationship name="sketches""#, #"<relationship name="tags""#] : [])
    return starts.reduce(xml) { $0.replacingOccurrences(of: $1, with: $1 + #" ordered="YES""#) }
  }

  /// Reads the model from its XML.
  static func model(_ xml: String = xml) throws -> NSManagedObjectModel {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString)/Gallery.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try Data(xml.utf8).write(to: folder.appendingPathComponent("contents"))
    return try NSManagedObjectModel(validatingContentsOf: folder)
  }
}
