import CoreData

extension Design {
  /// Inserts a photo with these values.
  func insert(_ values: PhotoValues, into context: NSManagedObjectContext) {
    switch self {
    case .single:
      let photo = SinglePhoto(context: context)
      photo.assetURL = values.assetURL
      photo.country = values.country
      photo.date = values.date
      photo.height = values.height
      photo.latitude = values.latitude
      photo.likes = values.likes
      photo.locationDescription = values.locationDescription
      photo.longitude = values.longitude
      photo.size = values.size
      photo.width = values.width
    case .split:
      let photo = SplitPhoto(context: context)
      photo.assetURL = values.assetURL
      photo.height = values.height
      photo.size = values.size
      photo.width = values.width
      let metadata = SplitMetadata(context: context)
      metadata.country = values.country
      metadata.date = values.date
      metadata.latitude = values.latitude
      metadata.likes = values.likes
      metadata.locationDescription = values.locationDescription
      metadata.longitude = values.longitude
      photo.metadata = metadata
    case .copying:
      let photo = CopyingPhoto(context: context)
      photo.assetURL = values.assetURL
      photo.date = values.date
      photo.height = values.height
      photo.likes = values.likes
      photo.size = values.size
      photo.width = values.width
      let metadata = CopyingMetadata(context: context)
      metadata.country = values.country
      metadata.date = values.date
      metadata.latitude = values.latitude
      metadata.likes = values.likes
      metadata.locationDescription = values.locationDescription
      metadata.longitude = values.longitude
      photo.metadata = metadata
    }
  }
}
