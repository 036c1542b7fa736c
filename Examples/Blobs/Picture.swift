import CoreData
import Foundation

/// A picture of a list: a title, a small picture that the list shows, and the picture itself, somewhere.
protocol Picture: AnyObject {
  var title: String? { get set }
  var date: Date? { get set }
  var thumbnail: Data? { get set }

  /// Returns the bytes of the whole picture; nil if it has none.
  ///
  /// - Throws: The errors of reading a file.
  func picture() throws -> Data?

  /// Changes the bytes of the whole picture.
  ///
  /// - Throws: The errors of writing a file.
  func setPicture(_ bytes: Data) throws
}

extension InlinePicture: Picture {
  func picture() -> Data? { data }
  func setPicture(_ bytes: Data) { data = bytes }
}

// The same code as for a picture in the row: the model alone says that the bytes may be in a file.
extension ExternalPicture: Picture {
  func picture() -> Data? { data }
  func setPicture(_ bytes: Data) { data = bytes }
}

extension SplitPicture: Picture {
  func picture() -> Data? { full?.data }

  func setPicture(_ bytes: Data) {
    // An inserted object has a context.
    if full == nil, let context = managedObjectContext { full = PictureData(context: context) }
    full?.data = bytes
  }
}
